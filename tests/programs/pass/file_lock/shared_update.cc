// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/file_lock/shared_update.cc"
