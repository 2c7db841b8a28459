// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/file_number_stolen.c"
