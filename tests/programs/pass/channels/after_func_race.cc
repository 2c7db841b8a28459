// heddle: expect=pass runs=500 options=report_races=1
#define FIXED
#include "../../fail/channels/after_func_race.cc"
