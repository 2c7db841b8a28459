// heddle: expect=data_race budget=200 options=report_races=1
// A structure with an atomic in it is copied as bytes.
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

namespace {
struct State {
  int kind = 1;
  std::atomic<bool> stopped{false};
};
}  // namespace

HEDDLE_FUZZ_TEST(copied_flag) {
  State state;
  [[maybe_unused]] std::mutex m;
  std::thread other([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    state.stopped.store(true);
  });
  State copy;
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    std::memcpy(static_cast<void*>(&copy), static_cast<void*>(&state), sizeof copy);
  }
  other.join();
  if (copy.kind != 1) __builtin_trap();
}
