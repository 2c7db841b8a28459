// heddle: expect=pass runs=100
#define FIXED
#include "../../fail/refused/set_clock.c"
