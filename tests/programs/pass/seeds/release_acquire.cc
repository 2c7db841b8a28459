// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/release_acquire.cc"
