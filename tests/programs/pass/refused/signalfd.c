// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/refused/signalfd.c"
