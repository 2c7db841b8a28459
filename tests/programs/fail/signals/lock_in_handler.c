// heddle: expect=deadlock|double_lock budget=2000
// A handler takes a lock that the interrupted thread may hold.
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, told;

static void tell(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  told = hits;
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  sigset_t quiet;
  sigemptyset(&quiet);
  sigaddset(&quiet, SIGUSR1);
  for (int i = 0; i < 3; ++i) {
#ifdef FIXED
    pthread_sigmask(SIG_BLOCK, &quiet, NULL);
#endif
    pthread_mutex_lock(&lock);
    ++hits;
    pthread_mutex_unlock(&lock);
#ifdef FIXED
    pthread_sigmask(SIG_UNBLOCK, &quiet, NULL);
#endif
  }
  return unused;
}

HEDDLE_FUZZ_TEST(lock_in_handler) {
  struct sigaction action = {.sa_handler = tell};
  pthread_t worker;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
}
