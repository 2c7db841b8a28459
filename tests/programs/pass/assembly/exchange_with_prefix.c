// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/assembly/exchange_with_prefix.c"
