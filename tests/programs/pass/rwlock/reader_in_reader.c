// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/rwlock/reader_in_reader.c"
