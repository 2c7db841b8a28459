// heddle: expect=pass runs=60
#define FIXED
#include "../../fail/processes/output_of_command.c"
