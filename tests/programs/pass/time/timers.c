// heddle: expect=pass runs=2000
// What timers and signals with values promise, in every schedule.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int calls;

static void call(union sigval value) {
  assert(value.sival_int == 7);
  ++calls;
}

static int is_zero(const struct timespec* t) { return t->tv_sec == 0 && t->tv_nsec == 0; }

// The time of a timer that does nothing can be asked for, and goes on.
static void asked_for(void) {
  struct sigevent none = {.sigev_notify = SIGEV_NONE};
  const struct itimerspec minute = {.it_value.tv_sec = 60, .it_interval.tv_sec = 5};
  struct itimerspec left;
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &none, &timer) == 0);
  assert(timer_gettime(timer, &left) == 0 && is_zero(&left.it_value));
  assert(timer_settime(timer, 0, &minute, &left) == 0 && is_zero(&left.it_value));
  assert(timer_gettime(timer, &left) == 0 && !is_zero(&left.it_value) && left.it_interval.tv_sec == 5);
  assert(timer_delete(timer) == 0);
}

// A timer that was stopped before its time does not call. One that was set again calls once.
static void called_once(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call, .sigev_value.sival_int = 7};
  struct itimerspec time = {.it_value.tv_sec = 1}, stopped = {0}, left;
  timer_t timer;
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &time, NULL) == 0);
  assert(timer_settime(timer, 0, &stopped, &left) == 0);
  const int at_most = is_zero(&left.it_value) ? 2 : 1;  // its time had come already
  clock_gettime(CLOCK_REALTIME, &time.it_value);
  assert(timer_settime(timer, TIMER_ABSTIME, &time, NULL) == 0);
  while (calls == 0) usleep(1000);
  assert(timer_getoverrun(timer) == 0);
  assert(timer_delete(timer) == 0);
  assert(calls <= at_most);
}

static void* take(void* out) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigwaitinfo(&set, out);
  return NULL;
}

// The signal of a timer goes to the thread that it names, with its value; so do signals that threads send.
static void sent_to_thread(void) {
  sigset_t set, before;
  siginfo_t info = {0};
  pthread_t taker;
  timer_t timer;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 3};
  event._sigev_un._tid = gettid();
  const struct itimerspec soon = {.it_value.tv_nsec = 1};
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &soon, NULL) == 0);
  assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_TIMER && info.si_value.sival_int == 3);
  assert(timer_delete(timer) == 0);
  assert(syscall(SYS_tgkill, getpid(), gettid(), SIGRTMIN) == 0);
  assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_USER);  // glibc makes it of SI_TKILL

  pthread_create(&taker, NULL, take, &info);
  assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 9}) == 0);
  pthread_join(taker, NULL);
  assert(info.si_signo == SIGRTMIN && info.si_code == SI_QUEUE && info.si_value.sival_int == 9);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

HEDDLE_FUZZ_TEST(timers) {
  calls = 0;
  struct sigevent wrong = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 1000};
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &wrong, &timer) == -1 && errno == EINVAL);
  asked_for();
  sent_to_thread();
  called_once();  // the last one: calls that are late block no signal
}
