// heddle: expect=blocked_threads budget=500
// After the time-out no thread receives the answer any more, and an unbuffered channel blocks its sender. The answer takes some
// time, always less than the time-out, unless its thread gets to sleep late.
#include <heddle/csp.h>

#include <chrono>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(timeout_first) {
#ifdef FIXED
  const heddle::chan<int> answer = heddle::make_chan<int>(1);
#else
  const heddle::chan<int> answer = heddle::make_chan<int>();
#endif
  heddle::go([answer] {
    heddle::after(10ms).receive();
    heddle::after(10ms).receive();
    answer.send(1);
  });
  heddle::select(heddle::on_receive(answer), heddle::on_receive(heddle::after(20ms)));
}
