// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/timerfd_missed.cc"
