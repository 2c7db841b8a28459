// heddle: expect=deadlock|blocked_threads|double_lock budget=1000
// After grpc#3017: the timer's function returns without unlocking if it was aborted while it waited for the lock.
#include <heddle/csp.h>

#include <chrono>
#include <mutex>

using namespace std::chrono_literals;

namespace {
std::mutex m;
bool aborted;
int cached = 1;

void on_time() {
  m.lock();
  if (aborted) {
#ifdef FIXED
    m.unlock();
#endif
    return;
  }
  cached = 0;
  m.unlock();
}

void use() {
  m.lock();
  if (cached != 0) aborted = true;
  m.unlock();
}
}  // namespace

HEDDLE_FUZZ_TEST(flag_in_timer) {
  heddle::wait_group all;
  all.go([] {
    heddle::after(10ms).receive();
    on_time();
  });
  heddle::after(10ms).receive();
  use();
  use();
  all.wait();
}
