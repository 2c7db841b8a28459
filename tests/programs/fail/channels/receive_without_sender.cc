// heddle: expect=blocked_threads budget=200
// On the error path no thread sends, and the thread that waits for the answer leaks.
#include <heddle/csp.h>

#include <atomic>

HEDDLE_FUZZ_TEST(receive_without_sender) {
  static std::atomic<bool> failed;
  const heddle::chan<int> answer = heddle::make_chan<int>();
  heddle::go([answer] { answer.receive(); });
  heddle::go([] { failed = true; });
#ifdef FIXED
  if (failed) answer.close(); else answer.send(1);
#else
  if (!failed) answer.send(1);
#endif
}
