// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/go_programs/beside_ticker.cc"
