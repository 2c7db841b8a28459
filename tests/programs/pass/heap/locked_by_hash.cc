// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/heap/locked_by_hash.cc"
