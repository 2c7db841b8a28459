// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/timer_stopped_late.cc"
