// heddle: expect=pass runs=20000 options=memory=rc11:report_races=1 asan
#define FIXED
#include "../../fail/weak/treiber_stack.cc"
