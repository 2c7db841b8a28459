// heddle: expect=pass runs=5000
// The wrong memory order does no harm under sequential consistency.
#include "../../../fail/weak/semaphore_value.cc"
