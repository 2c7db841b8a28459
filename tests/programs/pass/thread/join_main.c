// heddle: expect=pass runs=1000
// The first thread may be joined, and what it gave pthread_exit is its result.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t first;

static void* join(void* unused) {
  void* result = NULL;
  assert(pthread_join(first, &result) == 0 && result == &first);
  return unused;
}

int main(void) {
  pthread_t other;
  first = pthread_self();
  pthread_create(&other, NULL, join, NULL);
  pthread_exit(&first);
}
