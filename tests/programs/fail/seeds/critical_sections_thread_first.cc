// heddle: expect=assertion budget=200
// Two critical sections, one of which must not be the first.
#include "critical_sections.h"

HEDDLE_FUZZ_TEST(critical_sections_thread_first) { critical_sections(1); }
