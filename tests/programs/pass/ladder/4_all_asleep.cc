// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/ladder/4_all_asleep.cc"
