// heddle: expect=assertion budget=2000
// The locale belongs to all threads of an execution, and to this execution; what uselocale() says, to one thread.
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* change(void* unused) {
  assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
  pthread_mutex_lock(&mutex);
  assert(setlocale(LC_CTYPE, "C.UTF-8") != NULL);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0 && uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  pthread_create(&other, NULL, change, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  pthread_mutex_lock(&mutex);
  assert(strcmp(setlocale(LC_CTYPE, NULL), "C.UTF-8") == 0);
  pthread_mutex_unlock(&mutex);
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  assert(setlocale(LC_ALL, "C.UTF-8") != NULL);
  return 0;
}
