// heddle: expect=pass runs=1000
// Mutexes at the same address, one after the other, are independent, even if one was never unlocked.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* lock_it(void* m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_t* m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, lock_it, m) != 0) return 0;
    lock_it(m);
    pthread_join(thread, NULL);
    if (i % 2 == 0) pthread_mutex_lock(m);
    free(m);  // without pthread_mutex_destroy, as std::mutex does it
  }
  return 0;
}
