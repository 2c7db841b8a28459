#include <heddle/heddle.h>

#include "go_on_body.h"

HEDDLE_FUZZ_TEST(go_on) { go_on::body(); }
