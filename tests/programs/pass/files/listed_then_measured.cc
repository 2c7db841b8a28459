// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/files/listed_then_measured.cc"
