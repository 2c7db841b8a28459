// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/lock_and_channel.cc"
