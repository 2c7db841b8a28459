// heddle: expect=assertion budget=100000
#include "late.h"

void goes_wrong() { assert(!"late"); }
