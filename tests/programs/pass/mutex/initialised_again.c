// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/mutex/initialised_again.c"
