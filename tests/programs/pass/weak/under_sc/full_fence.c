// heddle: expect=pass runs=5000
// The missing fence does no harm under sequential consistency.
#include "../../../fail/weak/full_fence.c"
