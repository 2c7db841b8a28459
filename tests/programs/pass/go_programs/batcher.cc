// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_programs/batcher.cc"
