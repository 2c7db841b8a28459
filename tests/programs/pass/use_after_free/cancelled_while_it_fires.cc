// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/use_after_free/cancelled_while_it_fires.cc"
