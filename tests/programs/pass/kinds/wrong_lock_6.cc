// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kinds/wrong_lock_6.cc"
