// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/condvar/missing_reply.cc"
