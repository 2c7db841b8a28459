// heddle: expect=pass runs=2000
// FUTEX_REQUEUE and FUTEX_CMP_REQUEUE: what they return, and that a moved waiter waits on the other word only.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int from, to, ended;

static void* wait_on_from(void* unused) {
  while (atomic_load(&to) == 0) syscall(SYS_futex, &from, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  atomic_fetch_add(&ended, 1);
  return unused;
}

static long requeue(int operation, int wakes, int moves, int expected) {
  return syscall(SYS_futex, &from, operation, wakes, (void*)(intptr_t)moves, &to, expected);
}

int main(void) {
  atomic_store(&from, 0);
  atomic_store(&to, 0);
  atomic_store(&ended, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, wait_on_from, NULL);
  errno = 0;
  assert(requeue(FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, 7) == -1 && errno == EAGAIN);
  assert(requeue(FUTEX_CMP_REQUEUE_PRIVATE, -1, 1, 0) == -1 && errno == EINVAL);
  assert(requeue(FUTEX_REQUEUE_PRIVATE, 0, -1, 0) == -1 && errno == EINVAL);
  const long moved = requeue(FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, 0);
  assert(moved == 0 || moved == 1);
  assert(requeue(FUTEX_REQUEUE_PRIVATE, 0, 1, 0) == 0);
  atomic_store(&to, 1);
  atomic_store(&from, 1);
  // Some may still wait on the first word.
  const long woken = syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0) + syscall(SYS_futex, &from, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  assert(woken >= 0 && woken <= 2);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&ended) == 2);
  return 0;
}
