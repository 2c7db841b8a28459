// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/process_state/dl_message.c"
