// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/send_or_close_noise.cc"
