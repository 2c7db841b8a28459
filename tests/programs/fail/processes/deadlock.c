// heddle: expect=deadlock budget=2000
// The threads of a child process lock in opposite orders.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *unused) {
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&one);
  return unused;
}

static void *back(void *unused) {
#ifdef FIXED
  return forth(unused);
#else
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&other);
  return unused;
#endif
}

int main(void) {
  for (int i = 0; i < 2; ++i) {
    const pid_t process = fork();
    if (process == 0) {
      pthread_t threads[2];
      pthread_create(&threads[0], NULL, forth, NULL);
      pthread_create(&threads[1], NULL, i == 0 ? forth : back, NULL);
      for (int t = 0; t < 2; ++t) pthread_join(threads[t], NULL);
      _exit(0);
    }
    if (wait(NULL) != process) abort();
  }
  return 0;
}
