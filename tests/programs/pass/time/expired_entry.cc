// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/time/expired_entry.cc"
