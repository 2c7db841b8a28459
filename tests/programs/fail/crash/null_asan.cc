// heddle: expect=crash|SEGV budget=500 asan
// The same with AddressSanitizer's handler in place.
#include "null.cc"
