// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/crash/script_cleared.cc"
