// heddle: expect=deadlock budget=2000
// A watchdog with a handler that ends the program: what it has seen is the finding, and not its end.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t accounts[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void took_too_long(int number) {
  (void)number;
  static const char text[] = "time is over\n";
  (void)!write(1, text, sizeof text - 1);
  _exit(1);
}

static void* transfer(void* argument) {
  const long from = (long)argument;
  pthread_mutex_lock(&accounts[from]);
  pthread_mutex_lock(&accounts[1 - from]);
  pthread_mutex_unlock(&accounts[1 - from]);
  pthread_mutex_unlock(&accounts[from]);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  signal(SIGALRM, took_too_long);
  alarm(10);
#ifdef FIXED
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, transfer, (void*)0);
#else
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, transfer, (void*)i);
#endif
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  alarm(0);
  return 0;
}
