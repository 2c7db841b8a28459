// Waits with time limits that expire on a busy machine; in the default schedule one of them does. IMPATIENT adds another bug: in each schedule (always),
// or in some schedules (sometimes).
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

constexpr int kRounds = 10;  // so many that a limit expires in the default schedule, too

bool asked(const char* what) {
  const char* const word = std::getenv("IMPATIENT");
  return word != nullptr && std::strcmp(word, what) == 0;
}

}  // namespace

HEDDLE_FUZZ_TEST(impatient) {
  std::mutex m;
  std::condition_variable c;
  int asks = 0, answers = 0, sum = 0;
  const auto add = [&] {
    int before;
    {
      const std::lock_guard lock(m);
      before = sum;
    }
    const std::lock_guard lock(m);
    sum = before + 1;
  };
  std::thread adds(add), answer([&] {
    add();
    for (int i = 1; i <= kRounds; ++i) {
      std::unique_lock lock(m);
      c.wait(lock, [&] { return asks == i; });
      for (int step = 0; step < 5; ++step) {  // it takes some time
        lock.unlock();
        lock.lock();
      }
      answers = i;
      c.notify_all();
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    std::unique_lock lock(m);
    asks = i;
    c.notify_all();
    const bool in_time = c.wait_for(lock, std::chrono::milliseconds(100), [&] { return answers == i; });
    assert(in_time);
  }
  adds.join();
  answer.join();
  assert(!asked("always"));
  assert(sum == 2 || !asked("sometimes"));
}
