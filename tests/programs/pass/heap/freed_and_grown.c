// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/heap/freed_and_grown.c"
