// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/refused/fork_of_acutest.c"
