// heddle: expect=deadlock|blocked_threads budget=10000
// A hand-made lock: 0 free, 1 taken, 2 taken with waiters. A thread that has waited takes it as 1, and forgets other waiters.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
#ifdef FIXED
  while (atomic_exchange(&word, 2) != 0) syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL, NULL, 0);
#else
  for (;;) {
    seen = 1;
    if (atomic_load(&word) == 2 || atomic_compare_exchange_strong(&word, &seen, 2)) syscall(SYS_futex, &word, FUTEX_WAIT, 2, NULL, NULL, 0);
    seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  }
#endif
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void* work(void* argument) {
  lock();
  unlock();
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  work(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
