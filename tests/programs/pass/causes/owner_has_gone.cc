// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/causes/owner_has_gone.cc"
