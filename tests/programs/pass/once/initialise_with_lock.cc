// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/once/initialise_with_lock.cc"
