// heddle: expect=assertion budget=3000 asan
// The same where AddressSanitizer checks what is compared.
#include "keyword.cc"
