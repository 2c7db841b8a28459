// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/kinds/locks_later.c"
