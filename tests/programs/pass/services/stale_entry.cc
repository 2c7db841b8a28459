// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/services/stale_entry.cc"
