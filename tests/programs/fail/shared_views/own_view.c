// heddle: expect=assertion budget=1000
// Each thread maps the file for itself, counts in it and unmaps it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

static int file;

static void* count(void* nothing) {
  int* const counter = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
#ifdef FIXED
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
#else
  ++*counter;
#endif
  munmap(counter, SIZE);
  return nothing;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  file = memfd_create("counter", 0);
  if (ftruncate(file, SIZE) != 0) return 0;
  pthread_t one, other;
  pthread_create(&one, 0, count, 0);
  pthread_create(&other, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  int counted = 0;
  if (pread(file, &counted, sizeof counted, 0) != sizeof counted) return 0;
  close(file);
  assert(counted == 2);
  return 0;
}
