// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/stack_use/thread_local_counter.cc"
