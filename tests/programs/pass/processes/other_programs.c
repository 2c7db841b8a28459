// heddle: expect=pass runs=60
#define FIXED
#include "../../fail/processes/other_programs.c"
