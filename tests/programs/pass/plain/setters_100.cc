// heddle: expect=pass runs=100
#define FIXED
#include "../../fail/plain/setters_100.cc"
