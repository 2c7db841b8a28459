// heddle: expect=pass runs=2000
// Any payload, also none, gives something to do.
#include <heddle/heddle.h>

#include <cassert>
#include <numeric>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(reader) {
  heddle::PayloadReader in;
  std::vector<int> results(1 + in.below(4));
  std::vector<std::thread> threads;
  for (int& r : results) threads.emplace_back([&r, n = in.take<uint16_t>() % 10] { r = n; });
  for (auto& t : threads) t.join();
  assert(std::accumulate(results.begin(), results.end(), 0) <= 36);
  for (uint8_t byte : in.rest()) assert(byte == byte + 0);
}
