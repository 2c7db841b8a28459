// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/files/made_by_both.cc"
