// heddle: expect=pass runs=1000
// Signals to the process and to the sender itself, taken by sigwaitinfo, found by sigpending, delivered when they are no longer blocked, and a
// wait for them that may run out of time. Masks are inherited.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static int handled;

static void handler(int number) { handled = number; }

static void* take(void* unused) {
  siginfo_t information;
  assert(sigwaitinfo(&set, &information) == SIGTERM && information.si_signo == SIGTERM);
  return unused;
}

int main(void) {
  pthread_t taker;
  sigset_t pending;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  pthread_create(&taker, NULL, take, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(taker, NULL);
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  assert(handled == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  assert(handled == SIGUSR1);
  const struct timespec limit = {0, 1000};
  assert(sigtimedwait(&set, NULL, &limit) == -1);
  return 0;
}
