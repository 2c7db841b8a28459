// heddle: expect=assertion budget=2000
// Limits of resources belong to all threads of an execution, and to this execution. Raising one for a moment takes a lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static rlim_t initial;

static rlim_t files(void) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  return limit.rlim_cur;
}

static void set_files(rlim_t files) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = files;
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void* raise_for_a_moment(void* unused) {
  pthread_mutex_lock(&mutex);
  const rlim_t before = files();
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  set_files(before + 10);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  set_files(files() - 10);
  assert(files() >= 100);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  initial = files();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t one, other;
  struct rlimit core;
  assert(files() == initial);
  assert(prlimit(getpid(), RLIMIT_CORE, NULL, &core) == 0 && core.rlim_cur != 1);
  core.rlim_cur = 1;
  assert(prlimit(getpid(), RLIMIT_CORE, &core, NULL) == 0 || core.rlim_max == 0);
  set_files(100);
  pthread_create(&one, NULL, raise_for_a_moment, NULL);
  pthread_create(&other, NULL, raise_for_a_moment, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
