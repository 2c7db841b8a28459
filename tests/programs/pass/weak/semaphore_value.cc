// heddle: expect=pass runs=20000 options=memory=rc11
#define FIXED
#include "../../fail/weak/semaphore_value.cc"
