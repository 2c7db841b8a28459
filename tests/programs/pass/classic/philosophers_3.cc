// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/classic/philosophers_3.cc"
