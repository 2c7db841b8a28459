// heddle: expect=pass runs=2000 options=report_races=1
#define FIXED
#include "../../fail/condvar/at_thread_exit.cc"
