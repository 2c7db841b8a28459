// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/services/item_moved.cc"
