// heddle: expect=pass runs=300
#define FIXED
#include "../../fail/classic/reorder_20.cc"
