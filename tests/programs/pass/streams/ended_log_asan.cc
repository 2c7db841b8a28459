// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/streams/ended_log.cc"
