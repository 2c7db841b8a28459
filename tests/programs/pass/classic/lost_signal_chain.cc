// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/lost_signal_chain.cc"
