// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/added_by_worker.cc"
