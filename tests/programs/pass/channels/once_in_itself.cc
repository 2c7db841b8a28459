// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/once_in_itself.cc"
