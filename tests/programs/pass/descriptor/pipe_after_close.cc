// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/pipe_after_close.cc"
