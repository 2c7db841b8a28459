// heddle: expect=assertion|data_race budget=10000 options=report_races=1
// A worker's count goes to the total when its thread-locals end: after what it has promised, unless it promises it at the thread's end.
#include <heddle/heddle.h>

#include <cassert>
#include <future>
#include <thread>

static int total;

struct Counted {
  int count = 0;
  ~Counted() { total += count; }
};
static thread_local Counted counted;

HEDDLE_FUZZ_TEST(at_thread_exit) {
  total = 0;
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::packaged_task<int()> task([] { return counted.count += 2; });
  std::future<int> second = task.get_future();
  std::thread worker([&] {
    counted.count = 3;
#ifdef FIXED
    promise.set_value_at_thread_exit(7);
#else
    promise.set_value(7);
#endif
    task.make_ready_at_thread_exit();
  });
  assert(result.get() == 7);
  assert(total == 5);
  assert(second.get() == 5);
  worker.join();
}
