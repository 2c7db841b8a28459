// heddle: expect=assertion budget=2000
// A key is replaced while another thread compares it, first with the old and then with the new one. It may be equal to neither.
#include <assert.h>
#include <pthread.h>
#include <string.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char before[8] = "aaaaaaa", after[8] = "bbbbbbb";
static char key[8];

static void* replace(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  memcpy(key, after, sizeof key / 2);
  memcpy(key + sizeof key / 2, after + sizeof key / 2, sizeof key / 2);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  memcpy(key, before, sizeof key);
  pthread_create(&other, NULL, replace, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int old = memcmp(key, before, sizeof key) == 0, new = memcmp(key, after, sizeof key) == 0;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  assert(old || new);
  return 0;
}
