// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/future/nobody_leads.cc"
