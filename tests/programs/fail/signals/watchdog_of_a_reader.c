// heddle: expect=blocked_threads|lost_wakeup budget=2000
// The same where main itself waits, in a read. The writer gives up if it comes first.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];
static atomic_int ready;

static void took_too_long(int number) {
  (void)number;
  abort();
}

static void* answer(void* unused) {
#ifndef FIXED
  if (!atomic_load(&ready)) return unused;
#endif
  (void)!write(ends[1], "a", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 1;
  atomic_store(&ready, 0);
  signal(SIGALRM, took_too_long);
  alarm(10);
  pthread_create(&thread, NULL, answer, NULL);
  atomic_store(&ready, 1);
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 1;
  pthread_join(thread, NULL);
  alarm(0);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
