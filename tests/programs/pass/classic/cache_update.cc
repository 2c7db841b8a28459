// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/cache_update.cc"
