// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/receive_on_moved.cc"
