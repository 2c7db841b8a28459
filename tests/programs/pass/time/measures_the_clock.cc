// heddle: expect=pass runs=2000 options=timeouts=patient
#define FIXED
#include "../../fail/time/measures_the_clock.cc"
