// heddle: expect=pass runs=20
// Two threads look for work very often before they block, while no other thread can move. That takes long, and it ends.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kLooks = 600000 };
static atomic_int work[2], stopped;
static pthread_mutex_t rest = PTHREAD_MUTEX_INITIALIZER;

static void* look_for_work(void* mine) {
  atomic_int* const place = mine;
  while (!stopped) {
    for (int i = 0; i < kLooks && *place == 0; ++i) {
    }
    pthread_mutex_lock(&rest);
    pthread_mutex_unlock(&rest);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look_for_work, &work[i]);
  stopped = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
