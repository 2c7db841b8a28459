// Undefined behaviour in some schedules only: a shift by a number that another thread has made negative.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bits = 3;
static atomic_uint mask;

static void *take(void *unused) {
  if (atomic_load(&bits) >= 2) {
    atomic_fetch_sub(&bits, 2);
    atomic_store(&mask, 1u << atomic_load(&bits));
  }
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, take, NULL);
  pthread_create(&other, NULL, take, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
