// heddle: expect=assertion|broken_pipe budget=10000
// A thread closes its file twice. Between the two, another thread makes a pipe, whose read end gets the number.
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
  int ends_of_pipe[2];
  const int made = pipe(ends_of_pipe);
  assert(made == 0);
  char byte = 1;
  write(ends_of_pipe[1], &byte, 1);
  const ssize_t got = read(ends_of_pipe[0], &byte, 1);
  assert(got == 1);
  close(ends_of_pipe[0]);
  close(ends_of_pipe[1]);
  pthread_join(ends, NULL);
  return 0;
}
