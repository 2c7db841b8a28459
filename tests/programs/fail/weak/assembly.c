// heddle: expect=assertion options=memory=rc11 budget=4000
// Two threads that announce themselves and then look for the other one, with a release store. (FIXED: with an instruction in assembly, which
// acts as a seq_cst read-modify-write.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

atomic_int here[2], tickets;

static void announce(atomic_int* p) {
#ifdef FIXED
  int value = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*p) : : "memory");
#else
  atomic_store_explicit(p, 1, memory_order_release);
#endif
}

static int ticket(int me) {
  if (me == 0) return atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
  int value = 1;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(value), "+m"(tickets) : : "memory");
  return value;
}

struct Thread {
  int number, sees_other, ticket;
};

static void* work(void* argument) {
  struct Thread* me = argument;
  announce(&here[me->number]);
  me->sees_other = atomic_load(&here[1 - me->number]);
  me->ticket = ticket(me->number);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  here[0] = here[1] = tickets = 0;
  struct Thread one = {0, 0, 0}, other = {1, 0, 0};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, &one);
  pthread_create(&threads[1], NULL, work, &other);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(one.sees_other || other.sees_other);
  if (one.ticket + other.ticket != 1 || tickets != 2) __builtin_trap();
  return 0;
}
