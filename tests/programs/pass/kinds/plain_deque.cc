// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kinds/plain_deque.cc"
