// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/counted_then_freed.cc"
