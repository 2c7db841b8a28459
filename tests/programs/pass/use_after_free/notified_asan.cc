// heddle: expect=pass runs=3000 asan
#define FIXED
#include "../../fail/use_after_free/notified.cc"
