// heddle: expect=pass runs=4000
#define FIXED
#include "../../fail/atomics/exact_order.cc"
