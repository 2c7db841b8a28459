// heddle: expect=blocked_threads budget=1000
// The handler of an alarm tells the main thread, which waits on a condition variable. If the main thread holds the mutex at that moment,
// the handler gives up. An alarm that rings once is then missed; a timer that rings again and again is not.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rang = PTHREAD_COND_INITIALIZER;
static int ticks;

static void on_alarm(int number) {
  (void)number;
  if (pthread_mutex_trylock(&m) != 0) return;
  ++ticks;
  pthread_cond_signal(&rang);
  pthread_mutex_unlock(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  ticks = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval time = {{0, 0}, {0, 50000}};
#ifdef FIXED
  time.it_interval = time.it_value;
#endif
  setitimer(ITIMER_REAL, &time, NULL);
  pthread_mutex_lock(&m);
  while (ticks == 0) pthread_cond_wait(&rang, &m);
  pthread_mutex_unlock(&m);
  memset(&time, 0, sizeof time);
  setitimer(ITIMER_REAL, &time, NULL);
  return 0;
}
