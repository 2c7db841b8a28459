// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/descriptor/message_queue.c"
