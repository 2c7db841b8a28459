// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/time/two_owners.cc"
