// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/barrier/left_without_drop.cc"
