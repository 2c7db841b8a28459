// No program, but the owner of the precompiled header of those in C++.
#include <heddle/heddle.h>

HEDDLE_FUZZ_TEST(program_headers) {}
