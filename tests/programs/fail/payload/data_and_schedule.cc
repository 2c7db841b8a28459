// heddle: expect=assertion budget=20000
// Needs both: the right first byte, and the right order.
#include <heddle/heddle.h>

#include <cassert>
#include <atomic>
#include <thread>

HEDDLE_FUZZ_TEST(data_and_schedule) {
  const auto bytes = heddle::payload();
  std::atomic<int> mode{0}, n{0};
  if (bytes.size() > 1 && bytes[0] == 'O') mode = 2;
  auto add = [&] {
#ifdef FIXED
    n.fetch_add(1);
#else
    if (mode == 2) n = n + 1;
    else n.fetch_add(1);
#endif
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(n == 2);
}
