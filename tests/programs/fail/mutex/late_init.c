// heddle: expect=use_before_init budget=500
// The mutex is zero, so the worker can lock it. Its initialisation then takes the lock away.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t guard;
static int served;

static void* serve(void* argument) {
  pthread_mutex_lock(&guard);
  ++served;
  pthread_mutex_unlock(&guard);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t worker;
#ifdef FIXED
  pthread_mutex_init(&guard, NULL);
  pthread_create(&worker, NULL, serve, NULL);
#else
  pthread_create(&worker, NULL, serve, NULL);
  pthread_mutex_init(&guard, NULL);
#endif
  serve(NULL);
  pthread_join(worker, NULL);
  pthread_mutex_destroy(&guard);
  return 0;
}
