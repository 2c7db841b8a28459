// heddle: expect=pass runs=1000 asan
#define FIXED
#include "../../fail/payload/keyword_asan.cc"
