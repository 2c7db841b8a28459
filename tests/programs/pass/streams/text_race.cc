// heddle: expect=pass runs=3000 options=report_races=1
#define FIXED
#include "../../fail/streams/text_race.cc"
