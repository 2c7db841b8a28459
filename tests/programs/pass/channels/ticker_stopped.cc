// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/ticker_stopped.cc"
