// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/reader_ends.cc"
