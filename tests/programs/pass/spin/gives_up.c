// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/spin/gives_up.c"
