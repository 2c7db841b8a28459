// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/try_lock_noise.cc"
