// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/timeout_first.cc"
