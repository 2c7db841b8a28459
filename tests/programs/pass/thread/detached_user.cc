// heddle: expect=pass runs=500 asan
#define FIXED
#include "../../fail/thread/detached_user.cc"
