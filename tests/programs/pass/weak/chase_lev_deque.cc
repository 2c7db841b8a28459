// heddle: expect=pass runs=20000 options=memory=rc11:report_races=1
#define FIXED
#include "../../fail/weak/chase_lev_deque.cc"
