// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/streams/rewritten_in_place.cc"
