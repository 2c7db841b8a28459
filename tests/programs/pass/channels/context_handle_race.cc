// heddle: expect=pass runs=500 options=report_races=1
#define FIXED
#include "../../fail/channels/context_handle_race.cc"
