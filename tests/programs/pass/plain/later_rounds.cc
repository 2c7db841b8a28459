// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/plain/later_rounds.cc"
