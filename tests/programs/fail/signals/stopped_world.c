// heddle: expect=assertion budget=4000
// A collector stops two threads by a signal, whatever they wait for, looks at their data, and lets them go on. It must wait until both have stopped.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t stopped, go_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static atomic_int written, pieces;
static int ready;

static void stop(int number) {
  (void)number;
  sem_post(&stopped);
  while (sem_wait(&go_on) != 0) {
  }
}

static void* wait_for_end(void* unused) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&over, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* writer(void* unused) {
  for (int i = 0; i < 2; ++i) {
    ++pieces;
    ++written;
  }
  return wait_for_end(unused);
}

HEDDLE_FUZZ_TEST(stopped_world) {
  struct sigaction action = {.sa_handler = stop};
  pthread_t threads[2];
  sem_init(&stopped, 0, 0);
  sem_init(&go_on, 0, 0);
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, wait_for_end, NULL);
  for (int i = 0; i < 2; ++i) pthread_kill(threads[i], SIGUSR1);
#ifdef FIXED
  for (int i = 0; i < 2; ++i) sem_wait(&stopped);
#else
  sem_wait(&stopped);
#endif
  const int before = written;
  assert(written == before);
  for (int i = 0; i < 2; ++i) sem_post(&go_on);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&over);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  sem_destroy(&stopped);
  sem_destroy(&go_on);
}
