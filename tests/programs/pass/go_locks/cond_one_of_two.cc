// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_locks/cond_one_of_two.cc"
