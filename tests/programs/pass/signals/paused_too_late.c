// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/paused_too_late.c"
