// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/blocked_send_leak.cc"
