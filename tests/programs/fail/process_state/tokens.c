// heddle: expect=assertion budget=2000
// getopt() and strtok() start again in each execution. Two threads split strings with the single state of strtok().
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* cut(void* text) {
  pthread_mutex_lock(&mutex);
  char* const first = strtok(text, " ");
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  assert(strtok(NULL, " ") == first + 2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  char one[] = "a b c", other[] = "d e f", a[] = "-ab", b[] = "-c", name[] = "x";
  char* const arguments[] = {name, a, b, NULL};
  pthread_t threads[2];
  assert(optind == 1 && getopt(3, arguments, "abc") == 'a');
  pthread_create(&threads[0], NULL, cut, one);
  pthread_create(&threads[1], NULL, cut, other);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
