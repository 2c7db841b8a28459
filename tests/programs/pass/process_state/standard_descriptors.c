// heddle: expect=pass runs=500
// What an execution makes of the descriptors that it shares with the engine is gone in the next one: closed, given to something else, by any call that can.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

HEDDLE_KEEP static struct stat first[3];
HEDDLE_KEEP static int executions = 0;

static void* take_over(void* unused) {
  close(0);
  assert(open("/dev/null", O_RDONLY) == 0);
  const int null = open("/dev/null", O_WRONLY);
  assert(null > 2 && dup2(null, 1) == 1);
  close(null);
  return unused;
}

HEDDLE_FUZZ_TEST(standard_descriptors) {
  for (int i = 0; i < 3; ++i) {
    struct stat now;
    assert(fstat(i, &now) == 0);
    if (executions == 0) first[i] = now;
    assert(now.st_dev == first[i].st_dev && now.st_ino == first[i].st_ino);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, take_over, NULL);
  pthread_join(thread, NULL);
  if (executions++ % 2 == 0) close_range(0, 1, 0);
}
