// heddle: expect=assertion budget=200
// The code for the value zero is wrong.
#include "store_load.h"

HEDDLE_FUZZ_TEST(store_load_zero) { store_load(0); }
