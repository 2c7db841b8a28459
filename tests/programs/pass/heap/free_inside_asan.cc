// heddle: expect=pass runs=300 asan
#define FIXED
#include "../../fail/heap/free_inside_asan.cc"
