// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/end_asked_first.c"
