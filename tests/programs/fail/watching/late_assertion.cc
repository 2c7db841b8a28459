// heddle: expect=assertion budget=100000
#include "late.h"

#ifdef FIXED
void goes_wrong() { assert(*"late"); }
#else
void goes_wrong() { assert(!"late"); }
#endif
