// heddle: expect=assertion budget=10000
// A ring whose loads and stores are plain moves in inline assembly, as in Concurrency Kit: two producers use the enqueue for one. There is no other
// synchronisation.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static unsigned head, tail, locked;
static void* slots[8];
static int items[2], enqueued;

static unsigned load(const unsigned* p) {
  unsigned value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}
static void store(unsigned* p, unsigned value) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "iq"(value) : "memory"); }
static void* load_pointer(void* const* p) {
  void* value;
  __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}
static void store_pointer(void** p, void* value) { __asm__ volatile("mov %1, %0" : "=m"(*p) : "r"(value) : "memory"); }

static void enqueue(void* item) {
#ifdef FIXED
  unsigned one = 1;
  do {
    while (load(&locked) != 0) __asm__ volatile("pause");
    one = 1;
    __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(locked) : : "memory");
  } while (one != 0);
#endif
  const unsigned at = load(&tail);
  store_pointer(&slots[at & 7], item);
  store(&tail, at + 1);
#ifdef FIXED
  ++enqueued;  // the lock protects a plain variable, too
  store(&locked, 0);
#endif
}

static void* produce(void* number) {
  enqueue(&items[(intptr_t)number]);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, &produce, (void*)i);
  while (load(&tail) == load(&head)) continue;  // without a pause
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  while (load(&head) != load(&tail)) {
    int* const item = load_pointer(&slots[load(&head) & 7]);
    ++*item;
    store(&head, load(&head) + 1);
  }
  assert(items[0] == 1 && items[1] == 1);
  return 0;
}
