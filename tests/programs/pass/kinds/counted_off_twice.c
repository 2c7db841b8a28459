// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/kinds/counted_off_twice.c"
