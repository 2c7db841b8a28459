// heddle: expect=pass runs=2000 asan
#define FIXED
#include "../../fail/use_after_free/polled_count.c"
