// heddle: expect=heap-use-after-free budget=500 asan
// A detached thread outlives what it works on.
#include <heddle/heddle.h>

#include <memory>
#include <mutex>
#include <thread>

namespace {
struct Session {
  std::mutex m;
  int messages = 0;
  void receive() {
    std::lock_guard lock(m);
    ++messages;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(detached_user) {
#ifdef FIXED
  auto session = std::make_shared<Session>();
  std::thread([session] { session->receive(); }).detach();
#else
  auto session = std::make_unique<Session>();
  std::thread([s = session.get()] { s->receive(); }).detach();
#endif
  session->receive();
}
