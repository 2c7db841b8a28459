// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_locks/read_lock_through_another.cc"
