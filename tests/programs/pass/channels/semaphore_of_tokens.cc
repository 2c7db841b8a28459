// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/semaphore_of_tokens.cc"
