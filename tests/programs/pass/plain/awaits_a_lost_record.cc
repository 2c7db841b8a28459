// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/plain/awaits_a_lost_record.cc"
