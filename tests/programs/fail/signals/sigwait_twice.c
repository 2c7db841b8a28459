// heddle: expect=deadlock|blocked_threads budget=10000
// A thread takes signals with sigwait, in a whole program. Two pending signals of the same kind count as one.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void* take(void* set) {
  int number;
  for (int i = 0; i < 2; ++i) sigwait(set, &number);
  return NULL;
}

int main(void) {
  sigset_t set;
  pthread_t taker;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&taker, NULL, take, &set);
  pthread_kill(taker, SIGUSR1);
#ifdef FIXED
  pthread_kill(taker, SIGUSR2);
#else
  pthread_kill(taker, SIGUSR1);
#endif
  pthread_join(taker, NULL);
  return 0;
}
