// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/condvar/woken_the_poller.cc"
