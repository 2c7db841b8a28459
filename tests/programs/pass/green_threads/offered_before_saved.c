// heddle: expect=pass runs=1000 options=report_races=1
#define FIXED
#include "../../fail/green_threads/offered_before_saved.c"
