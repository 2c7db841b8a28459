// heddle: expect=assertion budget=10000
// A waiter polls a thousand times before it sleeps, and the code that sleeps is wrong: a futex wait can end without a cause. The sleep is never
// reached if spinning ends as soon as it is seen.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WAITING, READY };

static _Atomic uint32_t state;

static void wait_until_ready(void) {
  for (int i = 0; i < 1000; ++i) {
    if (atomic_load(&state) == READY) return;
  }
#ifdef FIXED
  while (atomic_load(&state) == WAITING)
#endif
    syscall(SYS_futex, &state, FUTEX_WAIT, WAITING, NULL, NULL, 0);
}

static void* send(void* unused) {
  atomic_store(&state, READY);
  syscall(SYS_futex, &state, FUTEX_WAKE, 1, NULL, NULL, 0);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  atomic_store(&state, WAITING);
  pthread_t sender;
  pthread_create(&sender, NULL, &send, NULL);
  wait_until_ready();
  assert(atomic_load(&state) == READY);
  pthread_join(sender, NULL);
  return 0;
}
