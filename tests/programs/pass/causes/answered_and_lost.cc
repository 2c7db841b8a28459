// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/causes/answered_and_lost.cc"
