// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/plain/fields_of_local.cc"
