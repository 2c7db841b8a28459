// heddle: expect=crash budget=100000
#include "late.h"

void goes_wrong() { *static_cast<volatile int*>(nullptr) = 1; }
