// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/missed_ticks.cc"
