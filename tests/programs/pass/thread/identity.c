// heddle: expect=pass runs=500
// pthread_self returns what pthread_create returned. A finished thread keeps its result until it is joined.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_t self[3];

static void* worker(void* argument) {
  self[(intptr_t)argument] = pthread_self();
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) assert(pthread_create(&threads[i], NULL, worker, (void*)i) == 0);
  for (intptr_t i = 2; i >= 0; --i) {
    void* result;
    assert(pthread_join(threads[i], &result) == 0);
    assert(result == (void*)i && pthread_equal(self[i], threads[i]));
    assert(!pthread_equal(threads[i], pthread_self()));
  }
  return 0;
}
