// heddle: expect=pass runs=1000
// A futex word is stored to without an atomic while a thread waits on it, as in C code with volatile words. The store does not end the futex, and
// the wake-up finds the waiter.
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void* wait_for_it(void* unused) {
  while (*(volatile int*)&word == -1) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, -1, NULL, NULL, 0);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  word = -1;
  pthread_t waiter;
  pthread_create(&waiter, NULL, &wait_for_it, NULL);
  *(volatile int*)&word = 0;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  pthread_join(waiter, NULL);
  return 0;
}
