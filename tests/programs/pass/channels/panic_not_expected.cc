// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/panic_not_expected.cc"
