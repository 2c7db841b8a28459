// heddle: expect=pass runs=500
// A signal to the process that its sender has blocked, and another thread has not: the handler runs, and no thread waits without end.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void handle(int number) { stop = number; }

static void* terminate(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGTERM);
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGTERM, handle);
  pthread_create(&thread, NULL, terminate, NULL);
  while (!stop) usleep(1000);
  pthread_join(thread, NULL);
  return stop == SIGTERM ? 0 : 1;
}
