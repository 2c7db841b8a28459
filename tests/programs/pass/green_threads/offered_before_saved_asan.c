// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/green_threads/offered_before_saved_asan.c"
