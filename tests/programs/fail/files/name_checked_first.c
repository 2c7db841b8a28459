// heddle: expect=assertion budget=2000
// Looks whether the file is there, and opens it then: between the two another thread removes it. Nothing but the file joins the threads.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char path[64];

static void* removes(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  unlink(path);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  snprintf(path, sizeof path, "name-checked-first-%d", (int)getpid());
  close(open(path, O_CREAT | O_RDWR, 0600));
  pthread_t other;
  pthread_create(&other, NULL, removes, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (access(path, R_OK) == 0) {
    const int file = open(path, O_RDONLY);
    assert(file >= 0);
    close(file);
  }
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  unlink(path);
  return 0;
}
