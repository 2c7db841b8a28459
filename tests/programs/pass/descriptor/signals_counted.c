// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/descriptor/signals_counted.c"
