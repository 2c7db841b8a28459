// heddle: expect=assertion budget=2000
// A call of the timer's function can begin before the one before it has ended.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int generation, published;

static void publish(union sigval unused) {
  (void)unused;
#ifdef FIXED
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one_at_a_time);
#endif
  pthread_mutex_lock(&lock);
  const int mine = ++generation;
  pthread_mutex_unlock(&lock);
  usleep(100);
  pthread_mutex_lock(&lock);
  assert(mine > published);
  published = mine;
  pthread_mutex_unlock(&lock);
#ifdef FIXED
  pthread_mutex_unlock(&one_at_a_time);
#endif
}

HEDDLE_FUZZ_TEST(timer_overlaps) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = publish};
  const struct itimerspec often = {.it_value.tv_nsec = 10000000, .it_interval.tv_nsec = 10000000};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &often, NULL);
  usleep(35000);
  timer_delete(timer);
}
