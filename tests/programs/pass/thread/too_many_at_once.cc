// heddle: expect=pass runs=3
#define FIXED
#include "../../fail/thread/too_many_at_once.cc"
