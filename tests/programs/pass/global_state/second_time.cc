// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/global_state/second_time.cc"
