// heddle: expect=deadlock|blocked_threads budget=500
// After kubernetes#62464: a reader reads again inside, and a writer that has come in between lets no new reader in.
#include <heddle/csp.h>

#include <pthread.h>

namespace {
pthread_rwlock_t lock;
int cpus = 2;

int capacity() {
  pthread_rwlock_rdlock(&lock);
  const int n = cpus;
  pthread_rwlock_unlock(&lock);
  return n;
}
}  // namespace

HEDDLE_FUZZ_TEST(writer_between_readers) {
  pthread_rwlockattr_t writers_first;
  pthread_rwlockattr_init(&writers_first);
  pthread_rwlockattr_setkind_np(&writers_first, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &writers_first);
  heddle::wait_group all;
  all.go([] {
    pthread_rwlock_wrlock(&lock);
    ++cpus;
    pthread_rwlock_unlock(&lock);
  });
#ifdef FIXED
  capacity();
#else
  pthread_rwlock_rdlock(&lock);
  capacity();
  pthread_rwlock_unlock(&lock);
#endif
  all.wait();
  pthread_rwlock_destroy(&lock);
}
