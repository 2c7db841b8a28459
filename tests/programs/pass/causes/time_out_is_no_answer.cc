// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/time_out_is_no_answer.cc"
