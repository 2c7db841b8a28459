// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/ladder/6_nobody_can_move.cc"
