// heddle: expect=assertion budget=10000
// Looks under the shared lock, changes under the exclusive one, and does not look again in between.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int made;

static void* make_once(void* argument) {
  pthread_rwlock_rdlock(&lock);
  int missing = made == 0;
  pthread_rwlock_unlock(&lock);
  if (missing) {
    pthread_rwlock_wrlock(&lock);
#ifdef FIXED
    missing = made == 0;
#endif
    if (missing) ++made;
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, make_once, NULL);
  make_once(NULL);
  pthread_join(other, NULL);
  assert(made == 1);
  return 0;
}
