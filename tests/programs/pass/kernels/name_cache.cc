// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/name_cache.cc"
