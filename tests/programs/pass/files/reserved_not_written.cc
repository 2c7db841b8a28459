// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/files/reserved_not_written.cc"
