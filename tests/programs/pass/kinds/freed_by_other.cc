// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kinds/freed_by_other.cc"
