// heddle: expect=pass runs=1000 options=report_races=1
#define FIXED
#include "../../fail/causes/revived.cc"
