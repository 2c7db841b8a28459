// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/canceled_worker.cc"
