// heddle: expect=pass runs=1000
// The same with plain moves that are seen.
#include "wait_for_flag.c"
