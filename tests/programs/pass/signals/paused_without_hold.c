// heddle: expect=pass runs=2000 flags=-Wno-deprecated-declarations
#define FIXED
#include "../../fail/signals/paused_without_hold.c"
