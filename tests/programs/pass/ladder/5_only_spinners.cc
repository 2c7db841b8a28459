// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/ladder/5_only_spinners.cc"
