// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/once/static_with_lock.cc"
