// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/future/made_exception.cc"
