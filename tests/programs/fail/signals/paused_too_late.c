// heddle: expect=blocked_threads budget=2000
// A thread checks whether the signal has come, and then waits for it. If it comes in between, the wait never ends. sigsuspend is made for that.
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int told;

static void tell(int number) { told = number; }

static void* work(void* unused) {
  kill(getpid(), SIGUSR1);
  return unused;
}

HEDDLE_FUZZ_TEST(paused_too_late) {
  struct sigaction action = {.sa_handler = tell};
  sigset_t blocked, before;
  pthread_t worker;
  sigaction(SIGUSR1, &action, NULL);
#ifdef FIXED
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  pthread_create(&worker, NULL, work, NULL);
  while (told != SIGUSR1) sigsuspend(&before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
#else
  (void)blocked, (void)before;
  pthread_create(&worker, NULL, work, NULL);
  while (told != SIGUSR1) pause();
#endif
  pthread_join(worker, NULL);
}
