// heddle: expect=assertion budget=2000
// The file mode mask belongs to all threads of an execution, and to this execution. Setting it for a moment is no way to look at it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mode_t initial;

static void* look(void* unused) {
  pthread_mutex_lock(&mutex);
  const mode_t mask = umask(0777);
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  umask(mask);
  pthread_mutex_unlock(&mutex);
  assert(mask == initial);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t one, other;
  initial = umask(022);
  assert(initial != 0707);
  umask(initial);
  pthread_create(&one, NULL, look, NULL);
  pthread_create(&other, NULL, look, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  umask(0707);
  return 0;
}
