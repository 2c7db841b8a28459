// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/two_sends_noise.cc"
