// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/checked_then_polled.c"
