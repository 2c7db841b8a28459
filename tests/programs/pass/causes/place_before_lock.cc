// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/causes/place_before_lock.cc"
