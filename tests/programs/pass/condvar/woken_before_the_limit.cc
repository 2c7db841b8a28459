// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/condvar/woken_before_the_limit.cc"
