// heddle: expect=assertion budget=500
// Reads the same place of a file twice, and takes it for unchanged. With _FORTIFY_SOURCE, gcc makes such a call of pread.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int file;
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);

static void* writes(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const ssize_t moved = pwrite(file, "b", 1, 0);
  (void)moved;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  FILE* const temporary = tmpfile();
  file = fileno(temporary);
  const ssize_t moved = pwrite(file, "a", 1, 0);
  (void)moved;
  pthread_t other;
  pthread_create(&other, NULL, writes, NULL);
  char first[4] = "", again[4] = "";
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (__pread_chk(file, first, 1, 0, sizeof first) == 1 && __pread_chk(file, again, 1, 0, sizeof again) == 1) assert(first[0] == again[0]);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  fclose(temporary);
  return 0;
}
