// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/watchdog_of_a_reader.c"
