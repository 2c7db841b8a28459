// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/wait_group_not_done.cc"
