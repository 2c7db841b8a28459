// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/select_order.cc"
