// heddle: expect=blocked_threads budget=1000
// Each worker takes a permit from an eventfd. But a read takes all of them, unless the eventfd counts like a semaphore.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int permits;

static void* work(void* argument) {
  eventfd_t taken;
  eventfd_read(permits, &taken);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
#ifdef FIXED
  permits = eventfd(0, EFD_SEMAPHORE);
#else
  permits = eventfd(0, 0);
#endif
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) eventfd_write(permits, 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  close(permits);
  return 0;
}
