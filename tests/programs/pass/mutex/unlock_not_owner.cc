// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/mutex/unlock_not_owner.cc"
