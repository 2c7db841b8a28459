// heddle: expect=unlock_not_owner|assertion|unlock_not_locked budget=3000
// After SQLite's early recursive lock: whether the caller already has the lock is told by a flag and a thread's number, which
// are read without the lock. Leaving clears only the flag, and entering sets the flag before the number.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {
class Recursive {
 public:
  void enter() {
    if (held_.load() && owner_.load() == std::this_thread::get_id()) {
      ++depth_;
      return;
    }
    mutex_.lock();
#ifdef FIXED
    owner_ = std::this_thread::get_id();
    held_ = true;
#else
    held_ = true;
    owner_ = std::this_thread::get_id();
#endif
    depth_ = 1;
  }
  void leave() {
    if (--depth_ != 0) return;
    held_ = false;
#ifdef FIXED
    owner_ = std::thread::id();
#endif
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> held_{false};
  std::atomic<std::thread::id> owner_{};
  int depth_ = 0;
};

struct Pager {
  Recursive lock;
  int inside = 0;
  void write() {
    lock.enter();
    assert(++inside == 1);
    --inside;
    lock.leave();
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(owner_of_the_lock) {
  Pager pager;
  const auto client = [&] {
    pager.write();
    pager.write();
  };
  std::thread one(client), other(client);
  one.join();
  other.join();
}
