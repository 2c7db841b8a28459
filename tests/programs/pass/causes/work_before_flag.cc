// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/work_before_flag.cc"
