// heddle: expect=pass runs=5000
#define FIXED
#include "../../fail/process_state/random_key.c"
