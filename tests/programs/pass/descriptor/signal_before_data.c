// heddle: expect=pass runs=500 options=report_races=1
#define FIXED
#include "../../fail/descriptor/signal_before_data.c"
