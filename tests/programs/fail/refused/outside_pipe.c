// heddle: expect=unsupported budget=10000
// A read that no thread of the execution can end: it is neither a deadlock nor a wait.
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static int ends[2];

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  return pipe(ends);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  char c = 'x';
#ifdef FIXED
  (void)!write(ends[1], &c, 1);
#endif
  (void)!read(ends[0], &c, 1);
  return 0;
}
