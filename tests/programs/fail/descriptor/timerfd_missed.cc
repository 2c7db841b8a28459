// heddle: expect=assertion budget=10000
// A clock that counts reads of a timer. If it comes late, one read covers several expirations.
#include <heddle/heddle.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(timerfd_missed) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec every_second = {{1, 0}, {1, 0}};
  timerfd_settime(timer, 0, &every_second, nullptr);
  std::mutex device;
  std::thread user([&] {
    std::lock_guard lock(device);
    usleep(2'500'000);
  });
  unsigned ticks = 0;
  uint64_t expirations = 0;
  for (int i = 0; i < 2; ++i) {
    uint64_t n = 0;
    (void)!read(timer, &n, sizeof n);
    expirations += n;
#ifdef FIXED
    ticks += static_cast<unsigned>(n);
#else
    ++ticks;
#endif
    std::lock_guard lock(device);
  }
  assert(ticks == expirations);
  user.join();
  close(timer);
}
