// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_locks/cond_too_early.cc"
