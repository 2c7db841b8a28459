// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/mutex/beside_heartbeat.cc"
