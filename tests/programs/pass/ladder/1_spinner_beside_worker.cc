// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/ladder/1_spinner_beside_worker.cc"
