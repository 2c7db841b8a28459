// heddle: expect=assertion budget=20 options=timeouts=patient
// With timeouts=patient a time limit expires only if nothing else can run, or if the others have made very many operations. Then the report says so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#ifdef FIXED
#define ROUNDS 1000
#else
#define ROUNDS 100000
#endif

static pthread_mutex_t m, done_m;
static pthread_cond_t done_c;
static int counter, done;

static void* work(void* argument) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&m);
    ++counter;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&done_m);
  if (++done == 2) pthread_cond_signal(&done_c);
  pthread_mutex_unlock(&done_m);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[2];
  pthread_mutex_init(&m, NULL);
  pthread_mutex_init(&done_m, NULL);
  pthread_cond_init(&done_c, NULL);
  counter = done = 0;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  ++limit.tv_sec;
  int result = 0;
  pthread_mutex_lock(&done_m);
  while (done != 2 && result == 0) result = pthread_cond_timedwait(&done_c, &done_m, &limit);
  pthread_mutex_unlock(&done_m);
  assert(result != ETIMEDOUT);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
