// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/refused/aio.c"
