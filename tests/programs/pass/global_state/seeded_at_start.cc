// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/global_state/seeded_at_start.cc"
