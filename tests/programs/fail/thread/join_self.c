// heddle: expect=join_self budget=500
// Each worker waits for its neighbour in the table, and a late entry makes one its own neighbour.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_t helper, worker_thread;
static _Atomic int worker_known;

static void* help(void* argument) {
  (void)argument;
  return NULL;
}

static void* work(void* argument) {
  (void)argument;
#ifdef FIXED
  pthread_join(helper, NULL);
#else
  pthread_join(atomic_load(&worker_known) ? pthread_self() : helper, NULL);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_create(&helper, NULL, help, NULL);
  pthread_create(&worker_thread, NULL, work, NULL);
  atomic_store(&worker_known, 1);
  pthread_join(worker_thread, NULL);
  return 0;
}
