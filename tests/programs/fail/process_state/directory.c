// heddle: expect=assertion budget=2000 seeds=1 engine=-artifact_prefix=seed1-
// The working directory belongs to all threads of an execution, and to this execution. The input is saved where the fuzzer was started.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int is_here(const char* name) {
  char now[4096];
  return getcwd(now, sizeof now) != NULL && strcmp(now, name) == 0;
}

static void* go(void* to) {
  pthread_mutex_lock(&mutex);
  assert(chdir(to) == 0);
#ifndef FIXED
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  assert(is_here(to));
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t one, other;
  assert(!is_here("/") && !is_here("/usr") && !is_here("/dev"));
  pthread_create(&one, NULL, go, "/usr");
  pthread_create(&other, NULL, go, "/dev");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  const int root = open("/", O_RDONLY | O_DIRECTORY);
  assert(root >= 0 && fchdir(root) == 0 && is_here("/"));
  close(root);
  return 0;
}
