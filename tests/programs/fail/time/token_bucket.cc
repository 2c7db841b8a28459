// heddle: expect=assertion budget=500 seeds=1
// A limit of calls a second. Who reads the clock before it takes the lock can find that time has gone backwards.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {
class Bucket {
 public:
  bool take() {
#ifndef FIXED
    const Clock::time_point now = Clock::now();
#endif
    std::lock_guard lock(m_);
#ifdef FIXED
    const Clock::time_point now = Clock::now();
#endif
    tokens_ += (now - last_) / 10ms;
    assert(tokens_ >= 0);
    last_ = now;
    if (tokens_ == 0) return false;
    --tokens_;
    return true;
  }

 private:
  std::mutex m_;
  long tokens_ = 0;
  Clock::time_point last_ = Clock::now();
};
}  // namespace

HEDDLE_FUZZ_TEST(token_bucket) {
  Bucket bucket;
  std::thread other([&] { bucket.take(); });
  std::this_thread::sleep_for(20ms);
  bucket.take();
  other.join();
}
