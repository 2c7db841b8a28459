// heddle: expect=pass runs=500
// Sequences that LLVMFuzzerInitialize has begun go on from there in each execution.
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static long expected, expected48;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  for (int i = 0; i < 2; ++i) {
    srand(42);
    srand48(42);
    rand();
    lrand48();
    if (i == 1) break;
    expected = rand();
    expected48 = lrand48();
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  assert(random() == expected && lrand48() == expected48);
  return 0;
}
