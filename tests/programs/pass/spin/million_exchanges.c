// heddle: expect=pass runs=10
// Two threads try very often before they block, while no other thread can move: one to take a lock with an exchange, the other to set a bit.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kTries = 600000 };
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_uint bits = 1;
static atomic_int stopped;
static pthread_mutex_t rest = PTHREAD_MUTEX_INITIALIZER;

static int fails(const void* lock) {
  return lock != NULL ? atomic_flag_test_and_set(&taken) : (atomic_fetch_or(&bits, 1) & 1) != 0;
}

static void* look_for_work(void* lock) {
  while (!stopped) {
    for (int i = 0; i < kTries && fails(lock); ++i) {
    }
    pthread_mutex_lock(&rest);
    pthread_mutex_unlock(&rest);
  }
  return NULL;
}

int main(void) {
  atomic_flag_test_and_set(&taken);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look_for_work, i == 0 ? &taken : NULL);
  stopped = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  atomic_flag_clear(&taken);
  return 0;
}
