// heddle: expect=pass
#define FIXED
#include "../../fail/keys/early.c"
