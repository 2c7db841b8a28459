// An actor drains its mailbox, and says only afterwards that it is no longer scheduled. Who sends in between schedules nobody, and waits in vain for the
// answer. The report names the actor's last look, and the message that it has missed.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(unseen_by_notifier_lines) {
  std::mutex box, done, work;
  std::condition_variable answered, scheduled_or_stopped;
  int mail = 0, answers = 0, jobs = 0;
  std::atomic<bool> scheduled{false};
  std::thread worker([&] {
    for (int round = 0; round < 2; ++round) {
      {
        std::unique_lock lock(work);
        scheduled_or_stopped.wait(lock, [&] { return jobs > round; });
      }
      for (;;) {
        {
          std::lock_guard lock(box);
          if (mail == 0) break;  // read
          mail = 0;
        }
        std::lock_guard lock(done);
        ++answers;
        answered.notify_all();
      }
      scheduled = false;
    }
  });
  for (int message = 1; message <= 2; ++message) {
    {
      std::lock_guard lock(box);
      ++mail;  // changed
    }
    if (!scheduled.exchange(true)) {
      std::lock_guard lock(work);
      ++jobs;
      scheduled_or_stopped.notify_one();
    }
    std::unique_lock lock(done);
    answered.wait(lock, [&] { return answers == message; });
  }
  {
    std::lock_guard lock(work);
    jobs = 2;
  }
  scheduled_or_stopped.notify_one();
  worker.join();
}
