// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/futex/atomic_wait.cc"
