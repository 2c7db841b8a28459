// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/blocked_send_on_closed.cc"
