// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/thread/blocked_at_exit.cc"
