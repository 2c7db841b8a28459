// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/global_channel.cc"
