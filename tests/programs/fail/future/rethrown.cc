// heddle: expect=assertion budget=2000
// A task of std::async throws on a value that is still being made. get() throws it again, in another thread, and nobody catches it.
#include <heddle/heddle.h>

#include <atomic>
#include <future>
#include <stdexcept>

static int parse(const std::atomic<int>& length) {
  if (length == 0) throw std::runtime_error("no length");
  return length;
}

HEDDLE_FUZZ_TEST(rethrown) {
  std::atomic<int> length{0};
#ifdef FIXED
  length = 8;
#endif
  std::future<int> parsed = std::async(std::launch::async, [&] { return parse(length); });
  length = 8;
  parsed.get();
}
