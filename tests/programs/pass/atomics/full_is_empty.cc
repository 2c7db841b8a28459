// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/atomics/full_is_empty.cc"
