// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/keys/destructor.c"
