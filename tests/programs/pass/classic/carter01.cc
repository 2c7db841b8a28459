// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/carter01.cc"
