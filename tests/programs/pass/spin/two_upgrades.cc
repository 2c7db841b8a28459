// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/spin/two_upgrades.cc"
