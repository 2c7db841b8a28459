// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/mutex/queue_deleted_by_main.cc"
