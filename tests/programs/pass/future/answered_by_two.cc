// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/future/answered_by_two.cc"
