// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/causes/worker_without_loop.cc"
