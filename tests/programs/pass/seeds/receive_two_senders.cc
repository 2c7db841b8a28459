// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/receive_two_senders.cc"
