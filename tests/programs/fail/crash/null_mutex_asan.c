// heddle: expect=SEGV asan budget=100
// The same with AddressSanitizer, whose own report names the call, too.
#include "null_mutex.c"
