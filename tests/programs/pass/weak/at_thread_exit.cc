// heddle: expect=pass runs=20000 options=memory=rc11 note='was written by code that heddle does not see'
// A future that becomes ready at the thread's end, after the destructors of its thread-locals: who finds it ready sees all that the thread has
// stored, in relaxed order too. (The library's own code drops its reference to the promise: heddle sees a new value of the count, and says so.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

std::atomic<int> message, last_words;

struct Last {
  ~Last() { last_words.store(words, std::memory_order_relaxed); }
  int words = 0;
};
thread_local Last last;

HEDDLE_FUZZ_TEST(at_thread_exit) {
  message = last_words = 0;
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&promise] {
    last.words = 3;
    promise.set_value_at_thread_exit(7);
    message.store(1, std::memory_order_relaxed);
  });
  if (result.wait_for(std::chrono::seconds(0)) == std::future_status::ready) assert(message.load(std::memory_order_relaxed) == 1);
  assert(result.get() == 7);
  assert(message.load(std::memory_order_relaxed) == 1);
  assert(last_words.load(std::memory_order_relaxed) == 3);
  worker.join();
}
