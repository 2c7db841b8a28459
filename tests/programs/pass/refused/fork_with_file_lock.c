// heddle: expect=pass runs=300
#define FIXED
#include "../../fail/refused/fork_with_file_lock.c"
