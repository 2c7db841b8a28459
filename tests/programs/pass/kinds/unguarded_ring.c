// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/kinds/unguarded_ring.c"
