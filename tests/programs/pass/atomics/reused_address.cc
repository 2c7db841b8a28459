// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/atomics/reused_address.cc"
