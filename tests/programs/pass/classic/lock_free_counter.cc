// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/lock_free_counter.cc"
