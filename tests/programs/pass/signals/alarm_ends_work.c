// heddle: expect=pass runs=1000
// Workers go on until the alarm says stop, as in a benchmark. Main waits for their end. An interval timer counts meanwhile.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static atomic_int stop;
static atomic_long rounds;

static void tick(int number) {
  (void)number;
  if (++ticks == 3) atomic_store(&stop, 1);
}

static void* work(void* unused) {
  while (!atomic_load(&stop)) atomic_fetch_add(&rounds, 1);
  return unused;
}

static void* sleep_in_rounds(void* unused) {
  while (!atomic_load(&stop)) usleep(1000);
  return unused;
}

static void measure(void* (*function)(void*)) {
  pthread_t workers[2];
  atomic_store(&stop, 0);
  ticks = 0;
  const struct itimerval time = {.it_interval = {0, 50000}, .it_value = {0, 50000}}, never = {0};
  setitimer(ITIMER_REAL, &time, NULL);
  for (int i = 0; i < 2; ++i) assert(pthread_create(&workers[i], NULL, function, NULL) == 0);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  assert(ticks >= 3);
}

int main(void) {
  const struct sigaction action = {.sa_handler = tick};
  sigaction(SIGALRM, &action, NULL);
  measure(sleep_in_rounds);
  measure(work);
  return 0;
}
