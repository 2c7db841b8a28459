// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/go_programs/select_beside_ticker.cc"
