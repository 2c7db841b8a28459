// heddle: expect=assertion budget=500 options=report_leaks=0
// Eight cases, of which the second and the sixth have senders, and the code of the sixth is wrong.
#include "select_cases.h"

HEDDLE_FUZZ_TEST(select_eight_sixth) { select_cases(8, 1, 5, 5, false); }
