// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/spin/retry_after_main.cc"
