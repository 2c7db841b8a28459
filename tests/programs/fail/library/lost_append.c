// heddle: expect=assertion budget=1000
// Two threads append to one text: both look for its end, then both write there.
#include <assert.h>
#include <pthread.h>
#include <string.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char list[32];

static void* append(void* name) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  strcat(list, name);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t one, other;
  (void)data;
  (void)size;
  list[0] = 0;
  pthread_create(&one, NULL, append, "lena;");
  pthread_create(&other, NULL, append, "otto;");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(strlen(list) == 10);
  return 0;
}
