// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/library/shared_account.cc"
