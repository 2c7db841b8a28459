// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_programs/leak_beside_ticker.cc"
