// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/use_after_free/polled_count.c"
