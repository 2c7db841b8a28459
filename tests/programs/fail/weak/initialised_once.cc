// heddle: expect=assertion options=memory=rc11 budget=4000
// Double-checked initialisation whose pointer is published relaxed: a reader can see the pointer and an empty object. (FIXED: release, acquire.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release, kLook = std::memory_order_acquire;
#else
constexpr auto kPublish = std::memory_order_relaxed, kLook = std::memory_order_relaxed;
#endif

struct Settings {
  std::atomic<int> limit;
} settings;
std::atomic<Settings*> instance;
std::mutex making;

Settings& get() {
  Settings* found = instance.load(kLook);
  if (found != nullptr) return *found;
  std::lock_guard lock(making);
  found = instance.load(std::memory_order_relaxed);
  if (found == nullptr) {
    settings.limit.store(100, std::memory_order_relaxed);
    instance.store(found = &settings, kPublish);
  }
  return *found;
}

HEDDLE_FUZZ_TEST(initialised_once) {
  settings.limit = 0;
  instance = nullptr;
  const auto use = [] { assert(get().limit.load(std::memory_order_relaxed) == 100); };
  std::thread one(use), other(use);
  one.join();
  other.join();
}
