// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/spin/polls_beside_heartbeat.cc"
