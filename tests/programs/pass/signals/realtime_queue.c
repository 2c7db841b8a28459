// heddle: expect=pass runs=2000
// Real-time signals queue: each job arrives, in the order in which they were sent. (fail/signals/value_overwritten.c loses one, with SIGUSR1.)
#define _GNU_SOURCE
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { kJobs = 3 };

static sigset_t jobs;
static volatile sig_atomic_t handled, last;

static void* work(void* unused) {
  for (int i = 1; i <= kJobs; ++i) {
    siginfo_t info;
    sigwaitinfo(&jobs, &info);
    assert(info.si_code == SI_QUEUE && info.si_value.sival_int == i);
  }
  return unused;
}

static void handle(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  assert(info->si_value.sival_int == last + 1);
  last = info->si_value.sival_int;
  ++handled;
}

HEDDLE_FUZZ_TEST(realtime_queue) {
  pthread_t worker;
  sigemptyset(&jobs);
  sigaddset(&jobs, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &jobs, NULL);
  pthread_create(&worker, NULL, work, NULL);
  for (int i = 1; i <= kJobs; ++i) pthread_sigqueue(worker, SIGRTMIN, (union sigval){.sival_int = i});
  pthread_join(worker, NULL);

  // To itself: those that are blocked are handled one after the other.
  const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  handled = last = 0;
  sigaction(SIGRTMIN, &action, NULL);
  for (int i = 1; i <= kJobs; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  assert(handled == 0);
  pthread_sigmask(SIG_UNBLOCK, &jobs, NULL);
  assert(handled == kJobs);
}
