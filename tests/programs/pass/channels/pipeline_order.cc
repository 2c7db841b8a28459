// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/channels/pipeline_order.cc"
