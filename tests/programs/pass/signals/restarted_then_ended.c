// heddle: expect=pass runs=5000
// The first handler lets the wait begin again, the second one ends it.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ended, restarted, posted;
static sem_t items;

static void restart(int number) {
  (void)number;
  ++restarted;
}

static void end(int number) {
  (void)number;
  ++ended;
}

static void* work(void* unused) {
  if (sem_wait(&items) != 0) assert(errno == EINTR && ended == 1);
  else assert(posted == 1);
  return unused;
}

HEDDLE_FUZZ_TEST(restarted_then_ended) {
  struct sigaction again = {.sa_handler = restart, .sa_flags = SA_RESTART}, once = {.sa_handler = end};
  pthread_t worker;
  ended = restarted = posted = 0;
  sem_init(&items, 0, 0);
  sigaction(SIGUSR1, &again, NULL);
  sigaction(SIGUSR2, &once, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_kill(worker, SIGUSR2);
  posted = 1;
  sem_post(&items);
  pthread_join(worker, NULL);
  assert(restarted <= 1 && ended <= 1);
  sem_destroy(&items);
}
