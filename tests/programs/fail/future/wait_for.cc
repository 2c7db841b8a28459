// heddle: expect=assertion budget=10000
// std::async, and a caller that thinks an hour is enough.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <future>
#include <mutex>

HEDDLE_FUZZ_TEST(wait_for) {
  std::mutex m;
  std::future<int> answer = std::async(std::launch::async, [&] {
    std::lock_guard lock(m);
    return 42;
  });
  const auto status = answer.wait_for(std::chrono::hours(1));
#ifdef FIXED
  if (status == std::future_status::ready) assert(answer.get() == 42);
#else
  assert(status == std::future_status::ready);
#endif
}
