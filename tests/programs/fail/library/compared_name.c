// heddle: expect=heap-use-after-free budget=500
// A name is compared while another thread frees it. Only strcmp accesses its bytes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char* name;

static char* take(void) {
  pthread_mutex_lock(&m);
  char* const taken = name;
#ifdef FIXED
  name = NULL;
#endif
  pthread_mutex_unlock(&m);
  return taken;
}

static void* forget(void* nothing) {
  free(take());
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  name = strdup("nobody");
  pthread_create(&other, NULL, forget, NULL);
  char* const mine = take();
  if (mine != NULL) assert(strcmp(mine, "nobody") == 0);
  pthread_join(other, NULL);
#ifdef FIXED
  free(mine);
#endif
  return 0;
}
