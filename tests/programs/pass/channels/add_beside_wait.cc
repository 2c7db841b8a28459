// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/add_beside_wait.cc"
