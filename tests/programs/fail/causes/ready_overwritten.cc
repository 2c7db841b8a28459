// heddle: expect=blocked_threads budget=1000
// A thread that finds no event says that it waits, and writes that over "ready", which has come meanwhile. So nobody wakes it.
#include <heddle/heddle.h>

#include <semaphore.h>

#include <atomic>
#include <thread>

enum State { kNothing, kReady, kWaits };

struct Poll {
  std::atomic<State> state{kNothing};
  sem_t wake;
  Poll() { sem_init(&wake, 0, 0); }
  ~Poll() { sem_destroy(&wake); }

  void wait() {
    if (state == kReady) return;
#ifdef FIXED
    State expected = kNothing;
    if (!state.compare_exchange_strong(expected, kWaits)) return;
#else
    state = kWaits;
#endif
    sem_wait(&wake);
  }
  void ready() {
    if (state.exchange(kReady) == kWaits) sem_post(&wake);
  }
};

HEDDLE_FUZZ_TEST(ready_overwritten) {
  Poll poll;
  std::thread waiter([&] { poll.wait(); });
  poll.ready();
  waiter.join();
}
