// heddle: expect=pass runs=1000
// A thread that ticks by setitimer and sigwait, and one more that takes some of the ticks. The clock goes on with them.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void* tick(void* unused) {
  for (int i = 0; i < 3; ++i) {
    int number = 0;
    assert(sigwait(&set, &number) == 0 && number == SIGALRM);
  }
  return unused;
}

HEDDLE_FUZZ_TEST(ticker) {
  const long begin = milliseconds();
  const struct itimerval every_second = {{1, 0}, {1, 0}}, never = {{0, 0}, {0, 0}};
  struct itimerval before;
  pthread_t threads[2];
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&threads[0], NULL, tick, NULL);
  setitimer(ITIMER_REAL, &every_second, NULL);  // perhaps it waits already
  pthread_create(&threads[1], NULL, tick, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(milliseconds() - begin >= 6000);
  assert(setitimer(ITIMER_REAL, &never, &before) == 0 && before.it_interval.tv_sec == 1);
  assert(alarm(5) == 0 && alarm(0) == 5);
  // Nobody waits for it, and it is not set any more.
  const struct timespec limit = {10, 0};
  assert(sigtimedwait(&set, NULL, &limit) == -1);
}
