// heddle: expect=pass runs=500 options=report_races=1
#define FIXED
#include "../../fail/channels/handle_sent_on.cc"
