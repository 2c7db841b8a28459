// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/stop_token/missed_stop.cc"
