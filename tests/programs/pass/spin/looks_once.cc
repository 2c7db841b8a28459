// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/spin/looks_once.cc"
