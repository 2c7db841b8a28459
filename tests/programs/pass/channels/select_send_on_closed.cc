// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/select_send_on_closed.cc"
