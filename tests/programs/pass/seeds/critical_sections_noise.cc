// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/critical_sections_noise.cc"
