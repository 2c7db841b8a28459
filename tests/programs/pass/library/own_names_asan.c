// heddle: expect=pass runs=200 asan
// ASan stands in front of getline, too.
#define getline next_line
#include "own_names.c"
