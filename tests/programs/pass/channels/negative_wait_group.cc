// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/negative_wait_group.cc"
