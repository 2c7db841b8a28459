// heddle: expect=pass runs=500 asan
#define FIXED
#include "../../fail/crash/trap_asan.cc"
