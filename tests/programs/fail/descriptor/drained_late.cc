// heddle: expect=blocked_threads budget=500 seeds=1
// An event loop is woken by an eventfd. It takes the tasks first, and then reads the eventfd: with it, what a later task has written.
#include <heddle/heddle.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Loop {
 public:
  Loop() {
    epoll_event asked = {};
    asked.events = EPOLLIN;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &asked);
  }
  ~Loop() {
    close(epoll_);
    close(wake_);
  }
  void post(std::function<void()> task) {
    bool first;
    {
      std::lock_guard lock(mutex_);
      first = tasks_.empty();
      tasks_.push_back(std::move(task));
    }
    if (first) eventfd_write(wake_, 1);
  }
  void run() {
    while (!stopped_) {
      epoll_event event;
      if (epoll_wait(epoll_, &event, 1, -1) <= 0) continue;
#ifdef FIXED
      drain();
#endif
      std::deque<std::function<void()>> tasks;
      {
        std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
      }
      for (auto& task : tasks) task();
#ifndef FIXED
      drain();
#endif
    }
  }
  void stop() {
    post([this] { stopped_ = true; });
  }

 private:
  void drain() {
    eventfd_t count;
    eventfd_read(wake_, &count);
  }

  const int epoll_ = epoll_create1(0), wake_ = eventfd(0, EFD_NONBLOCK);
  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
  bool stopped_ = false;
};

HEDDLE_FUZZ_TEST(drained_late) {
  Loop loop;
  int done = 0;
  std::thread thread([&] { loop.run(); });
  loop.post([&] { ++done; });
  loop.stop();
  thread.join();
  assert(done == 1);
}
