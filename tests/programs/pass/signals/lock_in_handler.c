// heddle: expect=pass runs=3000
#define FIXED
#include "../../fail/signals/lock_in_handler.c"
