// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/services/added_twice.cc"
