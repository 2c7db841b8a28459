// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/once_section.cc"
