// heddle: expect=pass runs=500
// A read-write lock, a POSIX semaphore, a spin lock and a barrier side by side, each with its try-operation: the invariant of each holds.
#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include <mutex>
#include <shared_mutex>
#include <thread>

HEDDLE_FUZZ_TEST(kinds) {
  std::shared_mutex gate;
  sem_t slots;
  pthread_spinlock_t spin;
  pthread_barrier_t start;
  sem_init(&slots, 0, 1);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&start, nullptr, 3);
  int guarded = 0, counted = 0, inside = 0;
  const auto work = [&](bool writes) {
    pthread_barrier_wait(&start);
    if (writes) {
      std::unique_lock l(gate);
      ++guarded;
    } else if (gate.try_lock_shared()) {
      const int seen = guarded;
      assert(seen == guarded);
      gate.unlock_shared();
    } else {
      std::shared_lock l(gate);
      assert(guarded <= 2);
    }
    if (sem_trywait(&slots) != 0) sem_wait(&slots);
    assert(++inside == 1);
    --inside;
    sem_post(&slots);
    if (pthread_spin_trylock(&spin) != 0) pthread_spin_lock(&spin);
    ++counted;
    pthread_spin_unlock(&spin);
  };
  std::thread a(work, true), b(work, true);
  work(false);
  a.join();
  b.join();
  assert(guarded == 2 && counted == 3);
  pthread_barrier_destroy(&start);
  pthread_spin_destroy(&spin);
  sem_destroy(&slots);
}
