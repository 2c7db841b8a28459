// heddle: expect=pass runs=300
#define FIXED
#include "../../fail/classic/twostage_2.cc"
