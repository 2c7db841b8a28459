// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/full_under_lock.cc"
