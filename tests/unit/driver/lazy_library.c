/* Not instrumented, as other people's libraries are: what it has made once it takes for there. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int made;

/* A handler of an execution never runs, and does not stay. */
static void make(void) { made = pthread_key_create(&key, NULL) == 0 && pthread_atfork(abort, NULL, NULL) == 0; }

/* The latest value that the calling thread has given; NULL first. Not 0: there is no key. */
int lazy_exchange(void* value, void** before) {
  pthread_once(&once, make);
  if (!made) return -1;
  *before = pthread_getspecific(key);
  return pthread_setspecific(key, value);
}
