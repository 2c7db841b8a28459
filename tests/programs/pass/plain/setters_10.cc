// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/plain/setters_10.cc"
