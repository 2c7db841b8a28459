// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/heap/realloc_alone.c"
