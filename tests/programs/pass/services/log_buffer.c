// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/services/log_buffer.c"
