// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/kinds/sequence_read_once.c"
