// heddle: expect=assertion budget=1000
// One snprintf prints two numbers. A reader in the middle of it finds one of each.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char status[40];

static void* update(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  snprintf(status, sizeof status, "started=%04d ended=%04d", 2, 2);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  int started = 0, ended = 0;
  (void)data;
  (void)size;
  snprintf(status, sizeof status, "started=%04d ended=%04d", 1, 1);
  pthread_create(&other, NULL, update, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int n = sscanf(status, "started=%d ended=%d", &started, &ended);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  assert(n == 2 && started == ended);
  pthread_join(other, NULL);
  return 0;
}
