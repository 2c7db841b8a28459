// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/plain/parts_of_word.cc"
