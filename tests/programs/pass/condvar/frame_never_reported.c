// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/condvar/frame_never_reported.c"
