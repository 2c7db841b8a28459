#include <heddle/heddle.h>

#include "exits.h"

HEDDLE_FUZZ_TEST(exits_harness) { exits::body(); }
