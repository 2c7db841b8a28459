// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/not_canceled.cc"
