// heddle: expect=assertion budget=500
// A worker looks at a flag each time and then uses data, which main takes away after it has cleared the flag.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static volatile int running, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* bad) {
  for (int i = 0; i < 3; ++i) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    const int goes_on = running;
    if (goes_on && data != 1) *(int*)bad = 1;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    if (!goes_on) break;
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  (void)bytes, (void)size;
  int bad = 0;
  running = data = 1;
  pthread_t worker;
  pthread_create(&worker, NULL, work, &bad);
  pthread_mutex_lock(&lock);
  running = 0;
  data = 0;
  pthread_mutex_unlock(&lock);
  pthread_join(worker, NULL);
  assert(!bad);
  return 0;
}
