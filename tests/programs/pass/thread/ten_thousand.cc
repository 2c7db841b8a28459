// heddle: expect=pass runs=4
// More threads in an execution than a system can have at the same time: 10,000 one after the other, and 1,000 together.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(ten_thousand) {
  std::atomic<int> count{0};
  for (int i = 0; i < 10'000; ++i) std::thread([&] { ++count; }).join();
  std::vector<std::thread> together;
  for (int i = 0; i < 1'000; ++i) together.emplace_back([&] { ++count; });
  for (std::thread& t : together) t.join();
  if (count != 11'000) __builtin_trap();
}
