// heddle: expect=heap-use-after-free budget=1000 asan
#include "ended_log.cc"
