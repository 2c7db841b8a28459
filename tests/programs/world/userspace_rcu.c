// heddle: expect=pass runs=1000
// misuse: expect=assertion budget=10000 seeds=20
// Userspace RCU, compiled from its sources: readers follow a pointer, a writer replaces what it points to and reclaims the old one after a grace
// period. Misuse: no grace period.
//
// Its read-modify-write operations are inline assembly, which announces itself; read-side sections are volatile accesses, seen as the plain ones they are.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <urcu.h>

struct config {
  int low, high;
};
static struct config versions[2];
static struct config* current;

static void* reader(void* unused) {
  (void)unused;
  rcu_register_thread();
  for (int i = 0; i < 2; ++i) {
    rcu_read_lock();
    const struct config* c = rcu_dereference(current);
    const int low = c->low, high = c->high;
    rcu_read_unlock();
    assert(low < high && "the reader's version was reclaimed");
  }
  rcu_unregister_thread();
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  versions[0] = (struct config){1, 2};
  current = &versions[0];
  pthread_t readers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&readers[i], NULL, &reader, NULL);
  versions[1] = (struct config){3, 4};
  struct config* old = rcu_xchg_pointer(&current, &versions[1]);
#ifndef MISUSE
  synchronize_rcu();
#endif
  old->low = old->high = 0;
  for (int i = 0; i < 2; ++i) pthread_join(readers[i], NULL);
  return 0;
}
