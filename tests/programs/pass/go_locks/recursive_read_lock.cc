// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_locks/recursive_read_lock.cc"
