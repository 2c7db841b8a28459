// heddle: expect=heap-use-after-free budget=10000 asan
#include "polled_count.c"
