// heddle: expect=pass runs=300 options=low_addresses=1
// Old C: pointers to the heap, to mappings and to the stack are kept in 32 bits.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int heap_word, mapped_word;
static uint32_t stack_word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* use(void* argument) {
  int own = 7;
  (void)argument;
  pthread_mutex_lock(&m);
  stack_word = (uint32_t)(uintptr_t)&own;
  assert((int*)(uintptr_t)stack_word == &own);
  // With the sign, too.
  char* const text = (char*)(intptr_t)heap_word;
  strcpy(text, "heap");
  char* const page = (char*)(intptr_t)mapped_word;
  strcpy(page, text);
  pthread_mutex_unlock(&m);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  heap_word = (int)(intptr_t)malloc(100);
  void* const large = malloc(1 << 20);
  assert((uintptr_t)large < 1ull << 31);
  void* const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mapped_word = (int)(intptr_t)page;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  munmap(page, 4096);
  free(large);
  free((void*)(intptr_t)heap_word);
  return 0;
}
