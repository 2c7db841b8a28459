// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/semaphore/not_given_back.cc"
