// heddle: expect=pass runs=300 asan
#define FIXED
#include "../../fail/heap/double_free_asan.cc"
