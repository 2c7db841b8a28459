// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/wait_without_loop.cc"
