// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/refused/sets_clock.c"
