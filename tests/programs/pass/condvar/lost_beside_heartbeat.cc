// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/condvar/lost_beside_heartbeat.cc"
