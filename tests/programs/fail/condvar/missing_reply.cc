// heddle: expect=blocked_threads budget=100
// No thread answers the second question. The worker waits correctly: the notification that came without a waiter is not the cause,
// because the worker has checked the questions since then.
#include <heddle/heddle.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(missing_reply) {
  std::mutex m;
  std::condition_variable changed;
  std::deque<int> questions;
  bool stop = false;
  std::promise<void> answer;
  std::thread worker([&] {
    std::unique_lock lock(m);
    for (;;) {
      changed.wait(lock, [&] { return stop || !questions.empty(); });
      if (questions.empty()) return;
      const int question = questions.front();
      questions.pop_front();
      if (question == 2) answer.set_value();
    }
  });
  auto ask = [&](int question) {
    std::lock_guard lock(m);
    questions.push_back(question);
    changed.notify_one();
  };
  ask(1);
#ifdef FIXED
  ask(2);
#endif
  answer.get_future().wait();
  {
    std::lock_guard lock(m);
    stop = true;
    changed.notify_one();
  }
  worker.join();
}
