// heddle: expect=pass runs=20000
// A watchdog that would end the program after half a minute. No machine is so slow.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void took_too_long(int number) {
  (void)number;
  abort();
}

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    ++done;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  done = 0;
  signal(SIGALRM, took_too_long);
  alarm(30);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  alarm(0);
  assert(done == 6);
  return 0;
}
