// A race, a deadlock, and a failed assertion behind them: each where HEDDLE_TEST names it.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

int suppressed_counter;

namespace app {
struct Counters {
  static void count_up(int by) { suppressed_counter += by; }  // inlined
};
}  // namespace app

__attribute__((noinline)) void count_up() { app::Counters::count_up(1); }

__attribute__((noinline)) void lock_both(std::mutex& a, std::mutex& b) {
  a.lock();
  b.lock();
  b.unlock();
  a.unlock();
}

static bool wants(const char* what) {
  const char* const wanted = std::getenv("HEDDLE_TEST");
  return wanted != nullptr && std::strstr(wanted, what) != nullptr;
}

#ifdef HEDDLE_TEST_DEFAULT
extern "C" const char* __tsan_default_suppressions() { return "# of the program\nrace:count_up\n"; }
#endif

HEDDLE_FUZZ_TEST(suppressions_target) {
  if (wants("race")) {
    std::thread other(count_up);
    count_up();
    other.join();
  }
  if (wants("deadlock")) {
    std::mutex a, b;
    std::thread other([&] { lock_both(a, b); });
    lock_both(b, a);
    other.join();
  }
  assert(!wants("assert"));
}
