// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/overtaken_job.c"
