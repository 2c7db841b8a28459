// The comparison functions of the runtime and the mutator, hidden in the combined object.
//
// libFuzzer records the arguments of memcmp, strcmp and so on in a table, inside its callback, and mutates data bytes with it. The table is
// for the program's comparisons. The runtime's own comparisons (mainly of names in the executable's symbol table) would displace them. The
// corpus for a seed would then also depend on every name in heddle.
//
// Compiled with -fno-builtin. Otherwise the compiler might turn the loop into a call of the same function.
#include <stddef.h>
#include <stdint.h>

#define OWN __attribute__((visibility("hidden")))

OWN int memcmp(const void* a, const void* b, size_t size);
OWN int bcmp(const void* a, const void* b, size_t size);
OWN int strcmp(const char* a, const char* b);
OWN int strncmp(const char* a, const char* b, size_t size);
OWN char* strstr(const char* text, const char* word);

int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), x += sizeof(uint64_t), y += sizeof(uint64_t)) {
    uint64_t m, n;
    __builtin_memcpy(&m, x, sizeof m);
    __builtin_memcpy(&n, y, sizeof n);
    if (m != n) break;
  }
  for (; size != 0; --size, ++x, ++y) {
    if (*x != *y) return *x < *y ? -1 : 1;
  }
  return 0;
}

int bcmp(const void* a, const void* b, size_t size) { return memcmp(a, b, size); }

int strncmp(const char* a, const char* b, size_t size) {
  for (; size != 0; --size, ++a, ++b) {
    if (*a != *b) return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
    if (*a == 0) break;
  }
  return 0;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, SIZE_MAX); }

char* strstr(const char* text, const char* word) {
  size_t length = 0;
  while (word[length] != 0) ++length;
  for (;; ++text) {
    if (strncmp(text, word, length) == 0) return (char*)text;
    if (*text == 0) return NULL;
  }
}
