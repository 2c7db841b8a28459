// heddle: expect=pass runs=2 engine=-timeout=120
// The clocks of thousands of threads and hundreds of thousands of locks need more memory than there is for them: such an execution ends like any
// that is too long, and nothing is said of the program.
#include <heddle/heddle.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(many_with_many_locks) {
  constexpr int kThreads = 8'000, kLocks = 400'000;
  std::vector<std::thread> together;
  std::mutex gate, greeting;
  gate.lock();
  for (int i = 0; i < kThreads; ++i) {
    together.emplace_back([&] {
      greeting.lock(), greeting.unlock();
      gate.lock(), gate.unlock();
    });
  }
  const auto locks = std::make_unique<std::mutex[]>(kLocks);
  for (int i = 0; i < kLocks; ++i) {
    if (i % 40 == 0) greeting.lock(), greeting.unlock();
    locks[i].lock(), locks[i].unlock();
  }
  gate.unlock();
  for (std::thread& t : together) t.join();
}
