// An allocator in a shared library, which also takes the C library's own names for it, as tcmalloc does. Each block has a mark before it.
#include <stdlib.h>
#include <string.h>

enum { kPool = 64 << 20, kMark = 0x600D };
struct header {
  size_t size, mark;
};
static _Alignas(16) char pool[kPool];
static size_t used;

static struct header* header_of(void* block) {
  struct header* const header = (struct header*)block - 1;
  if ((char*)block < pool || (char*)block >= pool + kPool || header->mark != kMark) abort();
  return header;
}

void* __libc_memalign(size_t alignment, size_t size) {
  if (alignment < 16) alignment = 16;
  const size_t begin = (used + sizeof(struct header) + alignment - 1) / alignment * alignment;
  if (size > kPool - begin) return NULL;
  used = begin + size;
  *((struct header*)(pool + begin) - 1) = (struct header){size, kMark};
  return pool + begin;
}

void* __libc_malloc(size_t size) { return __libc_memalign(16, size); }
void* __libc_calloc(size_t count, size_t size) {
  void* const block = __libc_malloc(count * size);
  return block != NULL ? memset(block, 0, count * size) : NULL;
}
void __libc_free(void* block) {
  if (block != NULL) header_of(block)->mark = 0;
}
void* __libc_realloc(void* block, size_t size) {
  void* const moved = __libc_malloc(size);
  if (moved == NULL || block == NULL) return moved;
  const size_t old = header_of(block)->size;
  memcpy(moved, block, old < size ? old : size);
  __libc_free(block);
  return moved;
}
size_t malloc_usable_size(void* block) { return block != NULL ? header_of(block)->size : 0; }

void* malloc(size_t size) __attribute__((alias("__libc_malloc")));
void* calloc(size_t count, size_t size) __attribute__((alias("__libc_calloc")));
void* realloc(void* block, size_t size) __attribute__((alias("__libc_realloc")));
void* memalign(size_t alignment, size_t size) __attribute__((alias("__libc_memalign")));
void* aligned_alloc(size_t alignment, size_t size) __attribute__((alias("__libc_memalign")));
void free(void* block) __attribute__((alias("__libc_free")));

size_t of_allocator(void) { return used; }
