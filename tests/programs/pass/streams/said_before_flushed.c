// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/said_before_flushed.c"
