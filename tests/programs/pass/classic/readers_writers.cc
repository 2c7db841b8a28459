// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/readers_writers.cc"
