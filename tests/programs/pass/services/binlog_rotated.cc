// heddle: expect=pass runs=1500
#define FIXED
#include "../../fail/services/binlog_rotated.cc"
