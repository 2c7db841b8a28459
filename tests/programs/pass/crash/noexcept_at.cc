// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/crash/noexcept_at.cc"
