// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/files/grown_by_both.cc"
