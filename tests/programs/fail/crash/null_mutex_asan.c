// heddle: expect=SEGV asan budget=100
// The same with AddressSanitizer, whose report also names the call.
#include "null_mutex.c"
