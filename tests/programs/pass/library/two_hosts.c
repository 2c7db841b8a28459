// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/library/two_hosts.c"
