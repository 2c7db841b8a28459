// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/ladder/2_sleeper_in_time.cc"
