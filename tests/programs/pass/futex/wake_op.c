// heddle: expect=pass runs=2000
// FUTEX_WAKE_OP, as Qt's semaphore uses it: it changes one word, wakes a waiter of another one, and waiters of the changed word if that was negative.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int turn, gate;

static void wait_while(atomic_int* word, int value) {
  while (atomic_load(word) == value) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void* wait_for_turn(void* unused) {
  wait_while(&turn, 0);
  return unused;
}

static void* wait_for_gate(void* unused) {
  wait_while(&gate, -3);
  assert(atomic_load(&gate) == 4);
  return unused;
}

int main(void) {
  atomic_store(&turn, 0);
  atomic_store(&gate, -3);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, wait_for_turn, NULL);
  for (int i = 1; i < 3; ++i) pthread_create(&threads[i], NULL, wait_for_gate, NULL);
  atomic_store(&turn, 1);
  const long woken = syscall(SYS_futex, &turn, FUTEX_WAKE_OP_PRIVATE, 1, INT_MAX, &gate, FUTEX_OP(FUTEX_OP_ADD, 7, FUTEX_OP_CMP_LT, 0));
  assert(woken >= 0 && woken <= 3);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);

  // The condition does not hold, and nobody waits.
  assert(syscall(SYS_futex, &turn, FUTEX_WAKE_OP_PRIVATE, 1, 1, &gate, FUTEX_OP(FUTEX_OP_SET, -5, FUTEX_OP_CMP_EQ, 9)) == 0 && atomic_load(&gate) == -5);
  assert(syscall(SYS_futex, &turn, FUTEX_WAKE_OP_PRIVATE, 1, 1, &gate, FUTEX_OP(FUTEX_OP_ANDN | FUTEX_OP_OPARG_SHIFT, 1, FUTEX_OP_CMP_GE, 0)) == 0);
  assert(atomic_load(&gate) == (-5 & ~2));
  errno = 0;
  assert(syscall(SYS_futex, &turn, FUTEX_WAKE_OP_PRIVATE, 1, 1, &gate, FUTEX_OP(6, 1, FUTEX_OP_CMP_GE, 0)) == -1 && errno == ENOSYS);
  return 0;
}
