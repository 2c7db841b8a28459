// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/library/torn_key_asan.c"
