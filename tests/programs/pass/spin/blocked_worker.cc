// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/spin/blocked_worker.cc"
