// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/signals/signal_file.c"
