// heddle: expect=blocked_threads budget=2000
// Two jobs are sent as values of one signal. If the second comes before the first is taken, only one arrives: SIGUSR1 does not queue.
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { kJobs = 2 };

static sigset_t jobs;
static int done;
#ifdef FIXED
static int waiting_for_more;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
#endif

static void* work(void* unused) {
  for (int i = 0; i < kJobs; ++i) {
    siginfo_t info;
    sigwaitinfo(&jobs, &info);
    if (info.si_code == SI_QUEUE) done += info.si_value.sival_int;
#ifdef FIXED
    pthread_mutex_lock(&lock);
    waiting_for_more = 1;
    pthread_cond_signal(&taken);
    pthread_mutex_unlock(&lock);
#endif
  }
  return unused;
}

HEDDLE_FUZZ_TEST(value_overwritten) {
  pthread_t worker;
  sigemptyset(&jobs);
  sigaddset(&jobs, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &jobs, NULL);
  pthread_create(&worker, NULL, work, NULL);
  for (int i = 1; i <= kJobs; ++i) {
    pthread_sigqueue(worker, SIGUSR1, (union sigval){.sival_int = i});
#ifdef FIXED
    pthread_mutex_lock(&lock);
    while (!waiting_for_more) pthread_cond_wait(&taken, &lock);
    waiting_for_more = 0;
    pthread_mutex_unlock(&lock);
#endif
  }
  pthread_join(worker, NULL);
}
