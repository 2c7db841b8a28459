// heddle: expect=assertion budget=2000
// A green thread offers itself to the kernel threads before it saves its state. A thread that takes it in between continues from the older saved state.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

#define STACK 65536

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static ucontext_t green;
static int offered, begun;
static __thread ucontext_t home;
static __thread int left;

// After a switch, the code runs on another thread, which no compiler expects.
__attribute__((noinline)) static ucontext_t* my_home(void) {
  __asm__ volatile("");
  return &home;
}

static void offer(void) {
  pthread_mutex_lock(&m);
  offered = 1;
  pthread_mutex_unlock(&m);
}

static void body(void) {
  assert(begun++ == 0);
#ifdef FIXED
  left = 1;
#else
  offer();
#endif
  swapcontext(&green, my_home());
  setcontext(my_home());
}

static void* carries(void* nothing) {
  left = 0;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&m);
    const int mine = offered;
    offered = 0;
    pthread_mutex_unlock(&m);
    if (!mine) continue;
    swapcontext(&home, &green);
    if (left) offer();
    left = 0;
  }
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  void* const stack = malloc(STACK);
  begun = 0;
  getcontext(&green);
  green.uc_stack.ss_sp = stack;
  green.uc_stack.ss_size = STACK;
  makecontext(&green, body, 0);
  offered = 1;
  pthread_t carriers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&carriers[i], NULL, carries, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(carriers[i], NULL);
  free(stack);
  return 0;
}
