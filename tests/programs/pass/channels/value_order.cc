// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/value_order.cc"
