// heddle: expect=pass runs=200
// The kernel refuses a pointer that leads nowhere. Reports name the directory, and must not read it before.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static void* change(void* to) {
  assert(chdir(to) == -1 && errno == EFAULT);
  assert(chdir("/absent") == -1 && errno == ENOENT);
  assert(chdir("/") == 0);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t other;
  pthread_create(&other, NULL, change, (void*)16);
  change(NULL);
  pthread_join(other, NULL);
  return 0;
}
