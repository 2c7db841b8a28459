// A destructor that the compiler inlines into std::shared_ptr's own code takes a lock, in the opposite order of another thread's. The lines that the
// report must name are marked.
#include <heddle/heddle.h>

#include <memory>
#include <mutex>
#include <thread>

static std::mutex registry, cache;

struct Session {
  ~Session() {
    std::lock_guard lock(registry);  // wanted
  }
};

HEDDLE_FUZZ_TEST(destructor_lines) {
  auto session = std::make_shared<Session>();
  std::thread other([] {
    std::lock_guard outer(registry);  // held
    std::lock_guard inner(cache);  // wanted
  });
  {
    std::lock_guard lock(cache);  // held
    session.reset();
  }
  other.join();
}
