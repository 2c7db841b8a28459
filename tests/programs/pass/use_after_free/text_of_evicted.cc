// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/use_after_free/text_of_evicted.cc"
