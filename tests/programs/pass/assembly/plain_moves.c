// heddle: expect=pass runs=2000 options=report_races=1
#define FIXED
#include "../../fail/assembly/plain_moves.c"
