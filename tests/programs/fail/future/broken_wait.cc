// heddle: expect=assertion budget=10000
// A promise is kept before what it promises is written.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <future>
#include <thread>

HEDDLE_FUZZ_TEST(broken_wait) {
  std::promise<void> written;
  std::future<void> when_written = written.get_future();
  std::atomic<int> value{0};
  std::thread writer([&] {
#ifdef FIXED
    value = 5;
    written.set_value();
#else
    written.set_value();
    value = 5;
#endif
  });
  when_written.wait();
  assert(value == 5);
  writer.join();
}
