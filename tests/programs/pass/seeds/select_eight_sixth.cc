// heddle: expect=pass runs=500 options=report_leaks=0
#define FIXED
#include "../../fail/seeds/select_eight_sixth.cc"
