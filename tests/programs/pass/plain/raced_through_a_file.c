// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/plain/raced_through_a_file.c"
