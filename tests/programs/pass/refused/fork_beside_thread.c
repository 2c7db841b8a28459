// heddle: expect=pass runs=300
#define FIXED
#include "../../fail/refused/fork_beside_thread.c"
