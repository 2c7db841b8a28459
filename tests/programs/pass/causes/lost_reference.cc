// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/lost_reference.cc"
