// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/files/name_checked_first.c"
