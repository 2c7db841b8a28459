// heddle: expect=assertion budget=10000
// Two threads both clean up: the second close closes another descriptor, which has got the number meanwhile.
#include <heddle/heddle.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(reused_number) {
  const int old = eventfd(0, 0);
  std::atomic<bool> closed{false};
  const auto clean_up = [&] {
#ifdef FIXED
    if (!closed.exchange(true)) close(old);
#else
    if (!closed.load()) {
      close(old);
      closed = true;
    }
#endif
  };
  std::thread other([&] { clean_up(); });
  clean_up();
  const int fresh = eventfd(0, 0);
  other.join();
  assert(eventfd_write(fresh, 1) == 0);
  close(fresh);
}
