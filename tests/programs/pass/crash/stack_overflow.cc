// heddle: expect=pass runs=200 asan
#define FIXED
#include "../../fail/crash/stack_overflow.cc"
