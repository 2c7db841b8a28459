// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/tick_missed.c"
