// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/refused/named_pipe.c"
