// heddle: expect=assertion budget=10000
// A thread closes its file twice. Between the two, another thread opens one, which gets the number.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int output;

static void* end_output(void* unused) {
  close(output);
#ifndef FIXED
  close(output);
#endif
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  output = open("/dev/null", O_WRONLY);
  pthread_t ends;
  pthread_create(&ends, NULL, end_output, NULL);
  const int input = open("/dev/zero", O_RDONLY);
  char byte = 1;
  const ssize_t got = read(input, &byte, 1);
  assert(got == 1 && byte == 0);
  close(input);
  pthread_join(ends, NULL);
  return 0;
}
