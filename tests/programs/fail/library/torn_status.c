// heddle: expect=assertion budget=2000
// A line of status is printed in two steps, each by the C library: its reader may find the first half alone.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char status[64];

static void* update(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  snprintf(status, sizeof status, "jobs=%d", 3);
  strcat(status, " done=3");
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  status[0] = 0;
  pthread_create(&other, NULL, update, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const size_t length = strlen(status);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  assert(length == 0 || length == strlen("jobs=3 done=3"));
  pthread_join(other, NULL);
  return 0;
}
