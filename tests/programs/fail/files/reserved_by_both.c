// heddle: expect=assertion budget=500
// Two threads look whether the file has its space, and then reserve it. (FIXED: under a lock.)
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int reserved;
static int file;

static void* reserve(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  struct stat status;
  assert(fstat(file, &status) == 0);
  if (status.st_size == 0) {
    assert(posix_fallocate(file, 0, 4096) == 0);
    ++reserved;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  (void)lock;
  reserved = 0;
  file = memfd_create("reserved", MFD_CLOEXEC);
  assert(file >= 0);
  pthread_t other;
  pthread_create(&other, NULL, reserve, NULL);
  reserve(NULL);
  pthread_join(other, NULL);
  close(file);
  assert(reserved == 1);
  return 0;
}
