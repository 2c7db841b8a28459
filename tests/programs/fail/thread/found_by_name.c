// heddle: expect=assertion-failure budget=200
// An allocator or a profiler wraps pthread_create, and so gets the C library's by name. The threads are controlled all the same.
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*join)(pthread_t, void **);
static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static int (*create_of_version)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

__attribute__((constructor)) static void find(void) {
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  void *library = dlopen("libc.so.6", RTLD_LAZY);
  *(void **)&join = dlsym(library, "pthread_join");
  *(void **)&lock = dlsym(library, "pthread_mutex_lock");
  *(void **)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  *(void **)&create_of_version = dlvsym(RTLD_NEXT, "pthread_create", "GLIBC_2.34");
  dlclose(library);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int tickets;

static void *take(void *unused) {
  lock(&mutex);
  const int mine = tickets;
#ifndef FIXED
  unlock(&mutex);
  lock(&mutex);
#endif
  tickets = mine + 1;
  unlock(&mutex);
  return unused;
}

HEDDLE_FUZZ_TEST(found_by_name) {
  pthread_t one, other;
  tickets = 0;
  create(&one, NULL, take, NULL);
  create_of_version(&other, NULL, take, NULL);
  join(one, NULL);
  join(other, NULL);
  assert(tickets == 2);
}
