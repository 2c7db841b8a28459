// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/store_load_noise.cc"
