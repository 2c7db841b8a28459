// heddle: expect=data_race budget=200 options=report_races=1
// The last owner frees what the others have let go of, and nothing orders that after their letting go.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
#ifdef FIXED
constexpr auto kOrder = std::memory_order_acq_rel;
#else
constexpr auto kOrder = std::memory_order_relaxed;
#endif
struct Shared {
  std::atomic<int> owners{2};
};
void let_go(Shared* s) {
  if (s->owners.fetch_sub(1, kOrder) == 1) delete s;
}
}  // namespace

HEDDLE_FUZZ_TEST(relaxed_count) {
  auto* s = new Shared;
  std::thread other([s] { let_go(s); });
  let_go(s);
  other.join();
}
