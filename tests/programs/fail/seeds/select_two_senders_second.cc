// heddle: expect=assertion budget=200 options=report_leaks=0
// The code of the second case is wrong.
#include "select_two_senders.h"

HEDDLE_FUZZ_TEST(select_two_senders_second) { select_two_senders(1); }
