// heddle: expect=assertion budget=10000
// close and dup are to give a known number another meaning. Between them, another thread opens something, which gets the number.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell;

static void* open_a_bell(void* unused) {
  bell = eventfd(0, 0);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  const int output = eventfd(0, 0), other = eventfd(0, 0);
  pthread_t opens;
  pthread_create(&opens, NULL, open_a_bell, NULL);
#ifdef FIXED
  const int made = dup2(other, output);
#else
  close(output);
  const int made = dup(other);
#endif
  pthread_join(opens, NULL);
  assert(made == output);
  close(other);
  close(made);
  close(bell);
  return 0;
}
