// heddle: expect=pass runs=1500
// misuse: expect=assertion budget=10000 seeds=20
// Concurrency Kit: two producers and a consumer that spins on a ring. Misuse: the enqueue for a single producer.
//
// Its operations are inline assembly on x86: instructions with a lock prefix, and plain moves. Both announce themselves.
#include <assert.h>
#include <ck_ring.h>
#include <stdint.h>
#include <pthread.h>

enum { kEach = 2 };
static ck_ring_t ring;
static ck_ring_buffer_t slots[8];
static int values[2][kEach];

static void* produce(void* of) {
  int* mine = of;
  for (int i = 0; i < kEach; ++i) {
    mine[i] = 1;
#ifdef MISUSE
    while (!ck_ring_enqueue_spsc(&ring, slots, &mine[i])) ck_pr_stall();
#else
    while (!ck_ring_enqueue_mpsc(&ring, slots, &mine[i])) ck_pr_stall();
#endif
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t producer[2];
  ck_ring_init(&ring, 8);
  for (int p = 0; p < 2; ++p) pthread_create(&producer[p], NULL, &produce, values[p]);
  for (int p = 0; p < 2; ++p) pthread_join(producer[p], NULL);
  int sum = 0;
  void* value;
#ifdef MISUSE
  while (ck_ring_dequeue_spsc(&ring, slots, &value)) sum += *(int*)value;
#else
  while (ck_ring_dequeue_mpsc(&ring, slots, &value)) sum += *(int*)value;
#endif
  assert(sum == 2 * kEach);
  return 0;
}
