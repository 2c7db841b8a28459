// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/time/time_stamp.cc"
