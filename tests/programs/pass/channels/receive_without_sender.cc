// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/receive_without_sender.cc"
