// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/descriptor/passed_without_room.cc"
