// heddle: expect=blocked-threads budget=2000
// The loop looks at a flag that a signal's handler sets, and then waits in poll: a signal in between is forgotten. ppoll unblocks it only in the wait.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_t looper;
static volatile sig_atomic_t stop;

static void on_signal(int number) {
  (void)number;
  stop = 1;
}

static void* send_signal(void* unused) {
  pthread_kill(looper, SIGUSR1);
  return unused;
}

int main(void) {
  looper = pthread_self();
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
#ifdef FIXED
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
#endif
  pthread_t sender;
  if (pthread_create(&sender, NULL, send_signal, NULL) != 0) return 1;
#ifdef FIXED
  while (!stop) ppoll(NULL, 0, NULL, &before);
#else
  while (!stop) poll(NULL, 0, -1);
#endif
  pthread_join(sender, NULL);
  return 0;
}
