// heddle: expect=pass runs=300 asan
#define FIXED
#include "../../fail/crash/check_asan.cc"
