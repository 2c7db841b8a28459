// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/use_after_free/iterator_across_upgrade.cc"
