// heddle: expect=pass runs=200
// A select of a thousand cases, all of them with a sender; each value comes out once.
#include <heddle/csp.h>

#include <cassert>
#include <vector>

HEDDLE_FUZZ_TEST(many_cases) {
  constexpr size_t kCases = 1000;
  std::vector<heddle::chan<size_t>> channels;
  heddle::selector any;
  std::vector<bool> seen(kCases);
  for (size_t i = 0; i < kCases; ++i) {
    channels.push_back(heddle::make_chan<size_t>(i % 2));
    any.receive(channels.back(), [&, i](std::optional<size_t> v) {
      assert(*v == i && !seen[i]);
      seen[i] = true;
    });
  }
  heddle::go([&channels] {
    for (size_t i = 0; i < 8; ++i) channels[i * 119 % kCases].send(i * 119 % kCases);
  });
  heddle::go([&channels] {
    for (size_t i = 0; i < 8; ++i) channels[kCases - 1 - i].send(kCases - 1 - i);
  });
  for (int i = 0; i < 16; ++i) assert(seen[any.wait()]);
}
