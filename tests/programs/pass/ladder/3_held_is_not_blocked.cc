// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/ladder/3_held_is_not_blocked.cc"
