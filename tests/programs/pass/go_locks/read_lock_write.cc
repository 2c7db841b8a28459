// heddle: expect=pass runs=500 options=report_races=1
#define FIXED
#include "../../fail/go_locks/read_lock_write.cc"
