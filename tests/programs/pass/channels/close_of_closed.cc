// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/close_of_closed.cc"
