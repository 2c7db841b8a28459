// heddle: expect=pass runs=300 asan
#define FIXED
#include "../../fail/crash/noexcept_map_asan.cc"
