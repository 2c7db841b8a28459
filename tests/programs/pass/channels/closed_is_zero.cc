// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/closed_is_zero.cc"
