// heddle: expect=assertion budget=500
// After moby#18412: the output is complete before the thread that waits for the process has stored its exit code.
#include <heddle/csp.h>

#include <atomic>
#include <cassert>

HEDDLE_FUZZ_TEST(exit_code) {
  static std::atomic<int> code;
  code = -1;
  const heddle::chan<int> output = heddle::make_chan<int>();
  heddle::go([output] {
#ifdef FIXED
    code = 0;
    output.close();
#else
    output.close();
    code = 0;
#endif
  });
  output.receive();
  assert(code == 0);
}
