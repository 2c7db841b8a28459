// heddle: expect=heap-use-after-free budget=1000
// A thread changes a counter of the object after it has dropped its reference. By then the object may be deleted, and a new one may be at its address.
#include <heddle/heddle.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {
struct Connection {
  std::atomic<int> references{2};
  std::atomic<int> closings = 0;
  char peer[200];

  std::unique_ptr<Connection> close() {
#ifdef FIXED
    ++closings;
#endif
    if (references.fetch_sub(1) == 1) {
      delete this;
      return std::make_unique<Connection>();  // for the next one
    }
#ifndef FIXED
    std::this_thread::yield();
    ++closings;
#endif
    return nullptr;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(delete_this) {
  auto* c = new Connection;
  std::unique_ptr<Connection> next;
  std::thread other([&, c] { next = c->close(); });
  const auto mine = c->close();
  other.join();
}
