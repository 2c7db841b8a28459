// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/use_after_free/reader_seen_too_late.cc"
