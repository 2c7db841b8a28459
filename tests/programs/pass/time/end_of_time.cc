// heddle: expect=pass runs=3000
// A timer thread without timers waits until the end of time, and looks again whenever it wakes. The clock never comes there, also not early: times that are
// added to it would overflow.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Clock::time_point> due;
  bool stop = false;
  std::shared_timed_mutex table;
  std::thread timers([&] {
    std::unique_lock lock(mutex);
    while (!stop) {
      changed.wait_until(lock, due ? *due : Clock::time_point::max());
      if (due && Clock::now() >= *due) due.reset();
    }
  });
  const auto now = Clock::now();
  assert(now + milliseconds(3) > now);
  if (table.try_lock_for(milliseconds(3))) table.unlock();
  for (const bool last : {false, true}) {
    std::lock_guard lock(mutex);
    due = now + milliseconds(3);
    stop = last;
    changed.notify_one();
  }
  timers.join();
  std::unique_lock lock(mutex);
  std::this_thread::sleep_for(std::chrono::hours(24 * 365 * 200));  // ends, in virtual time
  assert(Clock::now() > now && Clock::now() - now < std::chrono::hours(24 * 365 * 50));
}
