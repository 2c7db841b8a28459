// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/files/read_twice.c"
