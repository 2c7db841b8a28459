// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/kernels/writer_between_readers.cc"
