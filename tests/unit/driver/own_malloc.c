/* A program's own allocator, linked into the target. Its variables must outlive an execution: with them goes what it has given to the fuzzing engine. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef KEPT
HEDDLE_KEEP_EVERYTHING();
#endif

static char arena[64 << 20] __attribute__((aligned(16)));
static size_t used;

void* malloc(size_t size) {
  const size_t at = used;
  if (size > sizeof arena - at - 16) return NULL;
  used = at + ((size + 31) & ~(size_t)15);
  return arena + at;
}
void free(void* block) { (void)block; }
void* calloc(size_t count, size_t size) {
  void* const block = malloc(count * size);
  return block != NULL ? memset(block, 0, count * size) : NULL;
}
void* realloc(void* block, size_t size) {
  void* const moved = malloc(size);
  if (moved != NULL && block != NULL) memmove(moved, block, size < (size_t)(arena + used - (char*)block) ? size : (size_t)(arena + used - (char*)block));
  return moved;
}
void* memalign(size_t alignment, size_t size) {
  char* const block = malloc(size + alignment);
  return block != NULL ? block + (alignment - (uintptr_t)block % alignment) % alignment : NULL;
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) { return (*out = memalign(alignment, size)) == NULL ? 12 : 0; }

static void* allocate(void* unused) {
  (void)unused;
  return malloc(10);
}

HEDDLE_FUZZ_TEST(own_malloc) {
  pthread_t thread;
  pthread_create(&thread, NULL, allocate, NULL);
  allocate(NULL);
  pthread_join(thread, NULL);
}
