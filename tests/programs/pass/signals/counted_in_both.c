// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/signals/counted_in_both.c"
