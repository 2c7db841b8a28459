// heddle: expect=data_race budget=200 options=report_races=1
// An object with a lock and an atomic in it is announced before it is made, or with an order that does not carry its making along.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {
#ifdef FIXED
constexpr auto kPublish = std::memory_order_release;
#else
constexpr auto kPublish = std::memory_order_relaxed;
#endif
struct Shared {
  std::mutex m;
  std::atomic<int> users{0};
};
}  // namespace

HEDDLE_FUZZ_TEST(published_early) {
  std::atomic<Shared*> shared{nullptr};
  std::thread other([&] {
    if (Shared* s = shared.load(std::memory_order_acquire)) {
      std::lock_guard lock(s->m);
      ++s->users;
    }
  });
  auto* s = new Shared;
  shared.store(s, kPublish);
  other.join();
  delete s;
}
