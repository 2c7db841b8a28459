// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/stopped_too_early.cc"
