// heddle: expect=exit-code budget=500 options=report_exit=1
// The signal is blocked only in the thread that reads it: it goes to the other one, and ends the program.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *work(void *unused) {
  usleep(10);
  return unused;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_t worker;
#ifdef FIXED
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  pthread_create(&worker, NULL, work, NULL);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  int number = 0;
  sigwait(&set, &number);
  pthread_join(worker, NULL);
  return number == SIGUSR1 ? 0 : 1;
}
