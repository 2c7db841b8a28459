// heddle: expect=heap-use-after-free budget=2000 asan
#include "closed_while_written.c"
