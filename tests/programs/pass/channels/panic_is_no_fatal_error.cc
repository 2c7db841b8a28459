// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/panic_is_no_fatal_error.cc"
