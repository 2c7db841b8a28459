// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/annotations/deadlock.cc"
