// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/try_receive_race.cc"
