// heddle: expect=assertion-failure budget=500
// The message of dlerror stays until the thread's next call of that kind, also if another function is called for the first time meanwhile.
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

static int found;

static void *look(void *unused) {
  dlerror();
#ifdef FIXED
  assert(dlsym(RTLD_NEXT, "no_such_function") == NULL);
  const char *message = dlerror();
  wchar_t wide[8];
  wcsncat(wcscpy(wide, L""), L"text", 7);
  assert(message != NULL && strpbrk(message, "#") == NULL && strcasestr(message, "NO_SUCH_FUNCTION") != NULL);
#endif
  __atomic_store_n(&found, __atomic_load_n(&found, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
  return unused;
}

HEDDLE_FUZZ_TEST(dl_message) {
  pthread_t other;
  found = 0;
  pthread_create(&other, NULL, look, NULL);
#ifndef FIXED
  look(NULL);
#endif
  pthread_join(other, NULL);
#ifdef FIXED
  look(NULL);
#endif
  assert(found == 2);
}
