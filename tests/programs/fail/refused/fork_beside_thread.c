// heddle: expect=unsupported budget=10000
// A child process would have one thread of the two: what the other one holds stays as it is there.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, nothing, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  const pid_t process = fork();
  if (process == 0) _exit(0);
  if (waitpid(process, NULL, 0) != process) abort();
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  return 0;
}
