// heddle: expect=destroy_held budget=2000
// After pbzip2: main deletes the queue and its mutex once the last block is written, and a consumer is still on its way out.
#include <heddle/heddle.h>

#include <pthread.h>

#include <thread>
#include <vector>

namespace {
struct Queue {
  pthread_mutex_t* mutex;
  pthread_cond_t* changed;
  int blocks = 0;
  int written = 0;
  bool closed = false;
};
Queue* new_queue() {
  auto* q = new Queue{new pthread_mutex_t, new pthread_cond_t};
  pthread_mutex_init(q->mutex, nullptr);
  pthread_cond_init(q->changed, nullptr);
  return q;
}
void delete_queue(Queue* q) {
  pthread_mutex_destroy(q->mutex);
  delete q->mutex;
  q->mutex = nullptr;
  pthread_cond_destroy(q->changed);
  delete q->changed;
  delete q;
}
void consumer(Queue* q) {
  for (;;) {
    pthread_mutex_lock(q->mutex);
    while (q->blocks == 0 && !q->closed) pthread_cond_wait(q->changed, q->mutex);
    if (q->blocks == 0) break;
    --q->blocks;
    ++q->written;
    pthread_cond_broadcast(q->changed);
    pthread_mutex_unlock(q->mutex);
  }
  pthread_mutex_unlock(q->mutex);
}
void producer(Queue* q, int blocks) {
  pthread_mutex_lock(q->mutex);
  q->blocks += blocks;
  pthread_cond_broadcast(q->changed);
  pthread_mutex_unlock(q->mutex);
}
void wait_for_output(Queue* q, int blocks) {
  pthread_mutex_lock(q->mutex);
  while (q->written < blocks) pthread_cond_wait(q->changed, q->mutex);
  q->closed = true;
  pthread_cond_broadcast(q->changed);
  pthread_mutex_unlock(q->mutex);
}
}  // namespace

HEDDLE_FUZZ_TEST(queue_deleted_by_main) {
  Queue* const q = new_queue();
  std::thread worker(consumer, q);
  producer(q, 2);
  wait_for_output(q, 2);
#ifdef FIXED
  worker.join();
  delete_queue(q);
#else
  delete_queue(q);
  worker.join();
#endif
}
