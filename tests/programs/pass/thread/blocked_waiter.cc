// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/thread/blocked_waiter.cc"
