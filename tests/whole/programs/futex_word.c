// A futex that is never woken, and the clock: their names in a report.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
  atomic_int before;
  atomic_int word;
} shared;

static void* waits(void* unused) {
  (void)unused;
  while (atomic_load(&shared.word) == 0) syscall(SYS_futex, &shared.word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  struct timespec now;
  for (int i = 0; i < 3; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
  syscall(SYS_futex, &shared.before, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(thread, NULL);
  return 0;
}
