// heddle: expect=blocked_threads budget=2000
// A condition variable of futexes. A broadcast wakes one waiter and moves the others to the mutex, so they wait for its unlock. Then the mutex has to be
// marked as one with waiters.
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { free_, taken, taken_with_waiters };
static atomic_int mutex, sequence;
static int ready, seen;

static void lock_as(int mark) {
  int expected = free_;
  if (mark == taken && atomic_compare_exchange_strong(&mutex, &expected, taken)) return;
  while (atomic_exchange(&mutex, taken_with_waiters) != free_) syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, taken_with_waiters, NULL, NULL, 0);
}

static void unlock(void) {
  if (atomic_exchange(&mutex, free_) == taken_with_waiters) syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void wait(void) {
  const int was = atomic_load(&sequence);
  unlock();
  syscall(SYS_futex, &sequence, FUTEX_WAIT_PRIVATE, was, NULL, NULL, 0);
#ifdef FIXED
  lock_as(taken_with_waiters);
#else
  lock_as(taken);
#endif
}

static void broadcast(void) {
  const int now = atomic_fetch_add(&sequence, 1) + 1;
  const long done = syscall(SYS_futex, &sequence, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)(uintptr_t)INT_MAX, &mutex, now);
  assert(done >= 0);
}

static void* wait_until_ready(void* unused) {
  lock_as(taken);
  while (!ready) wait();
  ++seen;
  unlock();
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  atomic_store(&mutex, free_);
  atomic_store(&sequence, 0);
  ready = seen = 0;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, wait_until_ready, NULL);
  lock_as(taken);
  ready = 1;
  broadcast();
  unlock();
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(seen == 3);
  return 0;
}
