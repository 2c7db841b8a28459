// A thread of a child process computes without end.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned rounds;

static void *spin(void *unused) {
  for (;;) ++rounds;
  return unused;
}

int main(void) {
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_join(thread, NULL);
    _exit(0);
  }
  return wait(NULL) < 0;
}
