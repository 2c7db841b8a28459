// heddle: expect=pass runs=5000 asan
// The wrong memory order does no harm under sequential consistency.
#include "../../../fail/weak/treiber_stack.cc"
