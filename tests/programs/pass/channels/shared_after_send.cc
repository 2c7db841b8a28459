// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/shared_after_send.cc"
