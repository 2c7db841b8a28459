// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/semaphore/named_closed.c"
