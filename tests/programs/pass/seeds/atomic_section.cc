// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/atomic_section.cc"
