// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/plain/torn_erase.cc"
