// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/range_not_closed.cc"
