// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/wrong_lock_1.cc"
