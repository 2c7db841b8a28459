// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/heap/double_free.cc"
