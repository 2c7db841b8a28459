// heddle: expect=pass runs=1000 flags=-DHEDDLE_NO_ASSEMBLY_MOVES
// Dekker's algorithm with flags that are stored, fenced and loaded in assembly. With plain moves that are not seen, as in gcc's code, heddle sees only
// the pause in the waiting loops: the loops do not hang the run, and they do not count as work.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int wants[2], inside;

static void store(int* p, int value) { __asm__ volatile("movl %1, %0\n\tlock; addl $0, -4(%%rsp)" : "=m"(*p) : "r"(value) : "memory", "cc"); }
static int load(const int* p) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}

static void* work(void* number) {
  const int me = (int)(intptr_t)number, other = 1 - me;
  store(&wants[me], 1);
  while (me != 0 && load(&wants[other])) {  // the second gives way
    store(&wants[me], 0);
    while (load(&wants[other])) __asm__ volatile("pause");
    store(&wants[me], 1);
  }
  while (me == 0 && load(&wants[other])) __asm__ volatile("pause");
  assert(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) == 1);
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  store(&wants[me], 0);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t other;
  wants[0] = wants[1] = inside = 0;
  pthread_create(&other, NULL, &work, (void*)1);
  work((void*)0);
  pthread_join(other, NULL);
  return 0;
}
