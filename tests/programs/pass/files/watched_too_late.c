// heddle: expect=pass runs=50
#define FIXED
#include "../../fail/files/watched_too_late.c"
