// heddle: expect=pass runs=1000 options=report_exit=1
#define FIXED
#include "../../fail/signals/blocked_too_late.c"
