// heddle: expect=assertion budget=500 options=report_leaks=0
// Cases a to z and a default; a and z have senders, and the code of the last case is wrong.
#include "select_cases.h"

HEDDLE_FUZZ_TEST(select_default_last) { select_cases(26, 0, 25, 25, true); }
