// heddle: expect=pass runs=3000 options=report_leaks=0
// A detached worker waits for work for ever, as in the thread pools of libraries. Executions with it go unwatched like others.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Pool {
  std::mutex m;
  std::condition_variable more;
  std::deque<int> work;
  int done = 0;
};

HEDDLE_FUZZ_TEST(worker_stays) {
  auto* const pool = new Pool;
  std::thread([pool] {
    std::unique_lock lock(pool->m);
    for (;;) {
      while (pool->work.empty()) pool->more.wait(lock);
      pool->done += pool->work.front();
      pool->work.pop_front();
    }
  }).detach();
  for (int i = 1; i <= 2; ++i) {
    std::lock_guard lock(pool->m);
    pool->work.push_back(i);
    pool->more.notify_one();
  }
}
