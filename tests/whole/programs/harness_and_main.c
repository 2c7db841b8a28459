/* A program that is a harness, too: the harness is what is fuzzed. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data, (void)size;
  return 0;
}

int main(void) { abort(); }
