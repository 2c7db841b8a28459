// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/mutex/owner_of_the_lock.cc"
