// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/signals/spins_until_alarm.c"
