// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/accepted_number.c"
