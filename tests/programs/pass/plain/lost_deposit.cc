// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/plain/lost_deposit.cc"
