// heddle: expect=data_race budget=100 options=report_races=1
// One thread changes the environment while another one looks something up in it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* change(void* nothing) {
  pthread_mutex_lock(&m);
  setenv("HEDDLE_TEST_LEVEL", "3", 1);
  pthread_mutex_unlock(&m);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, change, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int known = getenv("HEDDLE_TEST_LEVEL") != NULL;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  return known < 0;
}
