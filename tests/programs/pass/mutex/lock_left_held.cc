// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/mutex/lock_left_held.cc"
