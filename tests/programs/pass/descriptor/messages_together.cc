// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/messages_together.cc"
