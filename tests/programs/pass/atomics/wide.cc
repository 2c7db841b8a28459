// heddle: expect=pass runs=1000 flags=-mcx16
#define FIXED
#include "../../fail/atomics/wide.cc"
