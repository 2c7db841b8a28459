// heddle: expect=pass runs=2000 options=report_races=1
#define FIXED
#include "../../fail/library/moved_by_readers.cc"
