#include <heddle/heddle.h>

#include "race_end.h"

HEDDLE_FUZZ_TEST(race_end) { race_body(); }
