// heddle: expect=heap-use-after-free budget=2000
// timer_delete does not wait for a call of the timer's function that is on its way. The session must live until that is over.
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct session {
  pthread_mutex_t lock;
  int references, expired;
};

static void drop(struct session* s) {
  pthread_mutex_lock(&s->lock);
  const int left = --s->references;
  pthread_mutex_unlock(&s->lock);
  if (left == 0) free(s);
}

static void expire(union sigval argument) {
  struct session* s = argument.sival_ptr;
  pthread_mutex_lock(&s->lock);
  s->expired = 1;
  pthread_mutex_unlock(&s->lock);
#ifdef FIXED
  drop(s);
#endif
}

HEDDLE_FUZZ_TEST(timer_after_delete) {
  struct session* s = calloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
#ifdef FIXED
  s->references = 2;  // the other one is the timer's. Who cannot stop it leaves it there
#else
  s->references = 1;
#endif
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expire, .sigev_value.sival_ptr = s};
  const struct itimerspec limit = {.it_value.tv_sec = 30};
  struct itimerspec left;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &limit, NULL);
  usleep(1000);  // the session's work
  const struct itimerspec stopped = {0};
  timer_settime(timer, 0, &stopped, &left);
  timer_delete(timer);
#ifdef FIXED
  if (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0) drop(s);
#else
  (void)left;
#endif
  drop(s);
}
