// heddle: expect=pass asan runs=300
#define FIXED
#include "../../fail/crash/null_mutex.c"
