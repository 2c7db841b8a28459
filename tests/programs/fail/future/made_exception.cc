// heddle: expect=assertion budget=2000
// A worker puts an exception into its promise that it has not thrown. get() throws it in another thread, and nobody catches it.
#include <heddle/heddle.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

static void answer(std::promise<int>& promise, const std::atomic<int>& length) {
  const int got = length;
  if (got != 0)
    promise.set_value(got);
  else
    promise.set_exception(std::make_exception_ptr(std::length_error("no length")));
}

HEDDLE_FUZZ_TEST(made_exception) {
  std::atomic<int> length{0};
#ifdef FIXED
  length = 8;
#endif
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&] { answer(promise, length); });
  length = 8;
  worker.join();
  result.get();
}
