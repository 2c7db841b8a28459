// heddle: expect=pass runs=2000 asan
#define FIXED
#include "../../fail/plain/freed_after_unlock.cc"
