// heddle: expect=pass runs=500 asan
#define FIXED
#include "../../fail/plain/use_after_free.cc"
