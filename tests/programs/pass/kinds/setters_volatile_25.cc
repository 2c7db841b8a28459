// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kinds/setters_volatile_25.cc"
