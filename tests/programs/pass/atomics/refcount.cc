// heddle: expect=pass runs=500 asan
#define FIXED
#include "../../fail/atomics/refcount.cc"
