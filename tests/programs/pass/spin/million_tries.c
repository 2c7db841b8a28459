// heddle: expect=pass runs=10
// Two threads try very often before they block, while no other thread can move: one to take a lock, the other to replace a value.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kTries = 600000 };
static atomic_int work, stopped;
static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER, rest = PTHREAD_MUTEX_INITIALIZER;

static int replaced(void) {
  int one = 1;
  return atomic_compare_exchange_strong(&work, &one, 2);
}

static void* look_for_work(void* locks) {
  while (!stopped) {
    for (int i = 0; i < kTries && (locks != NULL ? pthread_mutex_trylock(&taken) != 0 : !replaced()); ++i) {
    }
    pthread_mutex_lock(&rest);
    pthread_mutex_unlock(&rest);
  }
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&taken);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look_for_work, i == 0 ? &taken : NULL);
  stopped = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_unlock(&taken);
  return 0;
}
