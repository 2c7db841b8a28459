// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/causes/answers_swapped.c"
