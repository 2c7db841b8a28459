// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/freed_by_both.cc"
