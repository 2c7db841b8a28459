// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/condvar/destroy_waited.cc"
