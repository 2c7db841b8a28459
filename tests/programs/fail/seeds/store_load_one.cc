// heddle: expect=assertion budget=200
// The code for the value one is wrong.
#include "store_load.h"

HEDDLE_FUZZ_TEST(store_load_one) { store_load(1); }
