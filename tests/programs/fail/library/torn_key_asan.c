// heddle: expect=assertion budget=2000 asan
// The same where AddressSanitizer checks what is compared.
#include "torn_key.c"
