// heddle: expect=pass runs=500 options=report_leaks=0
#define FIXED
#include "../../fail/seeds/blocked_send_noise.cc"
