// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/heap/free_of_static.cc"
