// heddle: expect=pass runs=2000
#define FIXED
#include "../../fail/mutex/gives_nothing_back.cc"
