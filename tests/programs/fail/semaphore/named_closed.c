// heddle: expect=use_after_destroy budget=1000
// A thread closes a semaphore with a name that another thread, which has not opened it itself, still uses.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

static sem_t *ready;

static void *tell(void *unused) {
  sem_post(ready);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  ready = sem_open("/ready", O_CREAT, 0600, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
#ifdef FIXED
  sem_wait(ready);
#endif
  sem_close(ready);
  pthread_join(thread, NULL);
  return 0;
}
