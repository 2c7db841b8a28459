// heddle: expect=use_before_init budget=500
// A spinlock of zero bytes is a taken one for glibc on x86.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_spinlock_t guard;
static int served;

static void* serve(void* argument) {
  pthread_spin_lock(&guard);
  ++served;
  pthread_spin_unlock(&guard);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
#ifdef FIXED
  pthread_spin_init(&guard, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&worker, NULL, serve, NULL);
#else
  pthread_create(&worker, NULL, serve, NULL);
  pthread_spin_init(&guard, PTHREAD_PROCESS_PRIVATE);
#endif
  serve(NULL);
  pthread_join(worker, NULL);
  pthread_spin_destroy(&guard);
  return 0;
}
