// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/timer_before_pause.c"
