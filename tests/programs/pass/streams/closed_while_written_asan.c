// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/streams/closed_while_written_asan.c"
