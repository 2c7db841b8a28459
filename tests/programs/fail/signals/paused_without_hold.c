// heddle: expect=blocked_threads budget=5000 flags=-Wno-deprecated-declarations
// By the calls of X/Open: a signal that comes between the look at the flag and the pause is missed. It has to be held until sigpause() lets
// it in.
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static pthread_t waiter;

static void handle(int number) {
  (void)number;
  came = 1;
}

static void* tell(void* argument) {
  pthread_kill(waiter, SIGUSR1);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  came = 0;
  waiter = pthread_self();
  if (sigset(SIGUSR1, handle) == SIG_ERR) abort();
#ifdef FIXED
  sighold(SIGUSR1);
#endif
  pthread_t teller;
  pthread_create(&teller, NULL, tell, NULL);
  while (!came) {
#ifdef FIXED
    sigpause(SIGUSR1);
#else
    pause();
#endif
  }
  pthread_join(teller, NULL);
#ifdef FIXED
  // It is held again, and nothing comes while it is.
  came = 0;
  raise(SIGUSR1);
  if (came) abort();
  sigrelse(SIGUSR1);
  if (!came) abort();
  if (sigset(SIGUSR1, SIG_HOLD) != handle || sigset(SIGUSR1, SIG_DFL) != SIG_HOLD) abort();
  sighold(SIGUSR1);
  raise(SIGUSR1);
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (sigwaitinfo(&set, &info) != SIGUSR1 || info.si_code != SI_USER) abort();
  sigrelse(SIGUSR1);
  sigignore(SIGUSR1);
  raise(SIGUSR1);
  if (sigset(SIGUSR1, SIG_DFL) != SIG_IGN) abort();
#endif
  return 0;
}
