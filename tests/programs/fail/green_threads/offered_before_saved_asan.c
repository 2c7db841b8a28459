// heddle: expect=assertion budget=2000 asan
#include "offered_before_saved.c"
