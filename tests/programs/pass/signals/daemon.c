// heddle: expect=pass runs=500
// A program whose main thread waits for signals while others work: an alarm wakes it, a worker asks it to end.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static int jobs, rings;
static volatile sig_atomic_t ends;
static pthread_t handled_by;

static void handle(int number) {
  handled_by = pthread_self();
  if (number == SIGALRM) ++rings;
  else ends = 1;
}

static void* work(void* last) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    ++jobs;
    pthread_mutex_unlock(&mutex);
  }
  if (last != NULL) assert(pthread_kill(main_thread, SIGTERM) == 0);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  pthread_t workers[2];
  sigset_t all, before;
  main_thread = pthread_self();
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  alarm(10);
  assert(sigsuspend(&before) == -1 && errno == EINTR && rings == 1 && pthread_equal(handled_by, main_thread));
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, i == 1 ? &jobs : NULL);
  while (!ends) sigsuspend(&before);
  assert(pthread_equal(handled_by, main_thread));
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  return jobs == 6 ? 0 : 1;
}
