// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/position_shared.c"
