// heddle: expect=pass runs=5
#define FIXED
#include "../../fail/assembly/spin_after_many_moves.c"
