// heddle: expect=assertion|unlock_not_locked|unlock_not_owner budget=10000
// pthread_spin_trylock, whose result is ignored.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_spinlock_t lock;
static atomic_int inside;

static void* work(void* argument) {
#ifdef FIXED
  if (pthread_spin_trylock(&lock) != 0) pthread_spin_lock(&lock);
#else
  pthread_spin_trylock(&lock);
#endif
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  pthread_spin_unlock(&lock);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  pthread_spin_destroy(&lock);
  return 0;
}
