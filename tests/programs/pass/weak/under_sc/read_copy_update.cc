// heddle: expect=pass runs=5000 asan
// The wrong memory order does no harm under sequential consistency.
#include "../../../fail/weak/read_copy_update.cc"
