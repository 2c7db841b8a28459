// heddle: expect=pass runs=60
#define FIXED
#include "../../fail/refused/fork_with_file_lock.c"
