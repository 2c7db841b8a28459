// heddle: expect=deadlock|blocked_threads budget=10000
// A lock that prefers writers: a reader locks again while a writer waits. It waits for the writer, and the writer for it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_rwlock_t lock;

static void* write_once(void* argument) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
#ifdef FIXED
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_READER_NP);
#else
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  pthread_rwlock_init(&lock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
  pthread_t writer;
  pthread_create(&writer, NULL, write_once, NULL);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(writer, NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
