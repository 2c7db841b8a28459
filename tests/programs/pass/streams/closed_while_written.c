// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/closed_while_written.c"
