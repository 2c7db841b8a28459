// heddle: expect=assertion budget=20000
// A request is given up by the clock: the one who asked looks at the time once, and then uses its slot again. The answer for the old request
// comes into it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slot, number, answered;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void* server(void* unused) {
  pthread_mutex_lock(&mutex);
  const int request = number;
  pthread_mutex_unlock(&mutex);
  const int answer = request * 10;
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  if (request == number) slot = answer, answered = 1;
#else
  slot = answer, answered = 1;
  (void)request;
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t thread;
  slot = 0, number = 1, answered = 0;
  const double begun = seconds();
  pthread_create(&thread, NULL, server, NULL);
  pthread_mutex_lock(&mutex);
  if (!answered && seconds() - begun > 5) number = 2, slot = 0;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  if (answered) assert(slot == number * 10);
  pthread_mutex_unlock(&mutex);
  return 0;
}
