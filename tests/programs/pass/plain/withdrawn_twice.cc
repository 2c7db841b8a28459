// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/plain/withdrawn_twice.cc"
