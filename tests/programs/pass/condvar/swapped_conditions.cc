// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/condvar/swapped_conditions.cc"
