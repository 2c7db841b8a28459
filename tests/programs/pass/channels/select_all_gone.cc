// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/select_all_gone.cc"
