// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/payload/data_and_schedule.cc"
