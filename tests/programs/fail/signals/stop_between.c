// heddle: expect=deadlock|blocked_threads budget=2000
// A signal is to end a reader's wait. If it comes between the reader's look at the flag and its read, the read waits for ever.
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int stop;
static int ends[2];

static void ask_to_stop(int number) {
  stop = number;
#ifdef FIXED
  (void)!write(ends[1], "", 1);
#endif
}

static void* work(void* unused) {
  char byte;
  while (!stop) (void)!read(ends[0], &byte, 1);
  return unused;
}

HEDDLE_FUZZ_TEST(stop_between) {
  struct sigaction action = {.sa_handler = ask_to_stop};
  pthread_t worker;
  if (pipe(ends) != 0) return;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  close(ends[0]);
  close(ends[1]);
}
