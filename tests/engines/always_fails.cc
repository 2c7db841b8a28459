// Fails with every input.
#include <heddle/heddle.h>

#include <cstdlib>

HEDDLE_FUZZ_TEST(always_fails) { std::abort(); }
