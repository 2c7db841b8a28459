// heddle: expect=pass runs=3000
#define FIXED
#include "../../fail/signals/local_nesting.c"
