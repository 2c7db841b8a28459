// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/thread/found_by_name.c"
