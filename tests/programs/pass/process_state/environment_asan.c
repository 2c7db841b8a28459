// heddle: expect=pass runs=500 asan
// The same where leaks are looked for, of what only the environment leads to.
#define FIXED
#include "../../fail/process_state/environment.c"
