// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/descriptor/buffer_asan.cc"
