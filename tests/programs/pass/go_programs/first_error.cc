// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/go_programs/first_error.cc"
