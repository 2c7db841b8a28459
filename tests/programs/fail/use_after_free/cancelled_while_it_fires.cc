// heddle: expect=heap-use-after-free budget=3000
// A timer wheel takes a due timer out of its list under the lock, and calls it without the lock. cancel() finds no timer in
// the list, and its caller frees what the callback uses.
#include <heddle/heddle.h>

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

namespace {
class Wheel {
 public:
  struct Timer {
    int due;
    std::function<void()> call;
  };
  int add(int due, std::function<void()> call) {
    std::lock_guard lock(mutex_);
    timers_.push_back({due, std::move(call)});
    return due;
  }
  bool cancel(int due) {
    std::unique_lock lock(mutex_);
#ifdef FIXED
    idle_.wait(lock, [&] { return firing_ != due; });
#endif
    for (auto at = timers_.begin(); at != timers_.end(); ++at) {
      if (at->due != due) continue;
      timers_.erase(at);
      return true;
    }
    return false;
  }
  void tick(int now) {
    std::unique_lock lock(mutex_);
    while (!timers_.empty() && timers_.front().due <= now) {
      Timer timer = std::move(timers_.front());
      timers_.pop_front();
      firing_ = timer.due;
      lock.unlock();
      timer.call();
      lock.lock();
      firing_ = 0;
      idle_.notify_all();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  std::list<Timer> timers_;
  int firing_ = 0;
};

struct Session {
  int missed = 0;
};
}  // namespace

HEDDLE_FUZZ_TEST(cancelled_while_it_fires) {
  Wheel wheel;
  auto session = std::make_unique<Session>();
  Session* const raw = session.get();
  const int timer = wheel.add(3, [raw] { ++raw->missed; });
  std::thread clock([&] {
    for (int now = 1; now <= 4; ++now) wheel.tick(now);
  });
  std::thread hang_up([&] {
    wheel.cancel(timer);
    session.reset();
  });
  clock.join();
  hang_up.join();
}
