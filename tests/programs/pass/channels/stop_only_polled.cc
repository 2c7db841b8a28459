// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/stop_only_polled.cc"
