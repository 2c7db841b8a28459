// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/spin/left_spinning.cc"
