// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kinds/rare_nesting.cc"
