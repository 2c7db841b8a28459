// heddle: expect=deadlock|lost_wakeup|blocked_threads budget=5000
// A channel and a mutex: two threads send on an unbuffered channel while they hold m, and the receiver takes m between two
// receptions. Once a sender has m, and the receiver wants m before it receives, neither can go on.
#include <heddle/heddle.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
// One slot; send returns when the value has been received.
class Channel {
 public:
  void send(int v) {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return !full_; });
    full_ = true;
    value_ = v;
    const int mine = ++sent_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return received_ >= mine; });
  }
  int receive() {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return full_; });
    full_ = false;
    ++received_;
    changed_.notify_all();
    return value_;
  }

 private:
  std::mutex m_;
  std::condition_variable changed_;
  bool full_ = false;
  int value_ = 0, sent_ = 0, received_ = 0;
};
}  // namespace

HEDDLE_FUZZ_TEST(mixed_deadlock) {
  Channel channel;
  std::mutex m;
  auto sender = [&] {
#ifdef FIXED
    { std::lock_guard lock(m); }
    channel.send(1);
#else
    std::lock_guard lock(m);
    channel.send(1);
#endif
  };
  std::thread one(sender), two(sender);
  for (int i = 0; i < 2; ++i) {
    channel.receive();
    std::lock_guard lock(m);
  }
  one.join();
  two.join();
}
