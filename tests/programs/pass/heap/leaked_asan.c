// heddle: expect=pass runs=500 asan
#define FIXED
#include "../../fail/heap/leaked_asan.c"
