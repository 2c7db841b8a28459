// heddle: expect=pass runs=5000
#define FIXED
#include "../../fail/files/reserved_by_both.c"
