#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

static void *look(void *unused) {
  assert(dlopen("libthere_is_none_of_that_name.so", RTLD_NOW) == NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, look, NULL) == 0);
  look(NULL);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
