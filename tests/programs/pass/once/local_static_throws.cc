// heddle: expect=pass runs=1000
// The constructor of a function-local static throws the first time: the next thread tries again.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

namespace {
std::atomic<int> attempts, failures;

struct Connection {
  Connection() {
    const int n = attempts.fetch_add(1);
    std::this_thread::yield();
    if (n == 0) throw std::runtime_error("not yet");
  }
};

Connection& connection() {
  static Connection instance;
  return instance;
}

void use() {
  try {
    connection();
  } catch (const std::runtime_error&) {
    ++failures;
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(local_static_throws) {
  std::thread one(use), two(use);
  one.join();
  two.join();
  use();
  assert(attempts == 2 && failures == 1);
}
