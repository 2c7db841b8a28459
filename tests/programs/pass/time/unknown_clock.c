// heddle: expect=pass runs=100
// Calls with a clock that does not exist, or that they do not support, fail. The clock of a process is found by its number.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void expect(int result, int expected) {
  if (result != expected) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct timespec time = {0, 1};
  expect(clock_gettime(9999, &time), -1);
  expect(errno, EINVAL);
  expect(clock_gettime(-1, &time), -1);
  expect(clock_nanosleep(9999, 0, &time, NULL), EINVAL);
  expect(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &time, NULL), EINVAL);
  expect(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &time, NULL), EOPNOTSUPP);
  expect(clock_nanosleep(CLOCK_BOOTTIME, 0, &time, NULL), 0);
  clockid_t own;
  expect(clock_getcpuclockid(getpid(), &own), 0);
  expect(clock_gettime(own, &time), 0);
  expect(clock_getcpuclockid(0, &own), 0);
  expect(clock_gettime(own, &time), 0);
  return 0;
}
