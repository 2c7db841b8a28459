// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/deadline_before_answer.cc"
