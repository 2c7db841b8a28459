// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/condvar/late_notify.cc"
