// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/after_func_not_stopped.cc"
