// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/signal_lost.cc"
