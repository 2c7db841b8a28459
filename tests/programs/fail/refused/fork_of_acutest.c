// heddle: expect=unsupported budget=10000
// A test framework starts a process for each test. It is known by the name of its function, as in acutest before its names had a prefix.
#include <unistd.h>
#include <stddef.h>
#include <stdint.h>

static int test_do_run_(int number) {
#ifndef FIXED
  if (fork() == 0) _exit(0);
#endif
  return number;
}
static int (*volatile run)(int) = test_do_run_;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  run((int)size);
  return 0;
}
