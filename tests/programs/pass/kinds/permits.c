// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/kinds/permits.c"
