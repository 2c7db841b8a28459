// heddle: expect=pass runs=3000
#define FIXED
#include "../../fail/signals/errno_of_handler.c"
