// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/record_in_parts.c"
