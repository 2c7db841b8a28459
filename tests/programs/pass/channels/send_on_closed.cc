// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/send_on_closed.cc"
