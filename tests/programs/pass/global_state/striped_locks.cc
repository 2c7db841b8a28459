// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/global_state/striped_locks.cc"
