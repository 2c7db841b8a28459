// A worker that is started by a constructor at namespace scope and joined by its destructor. Its ledger is one, too: filled by the
// worker, checked by main. With an argument main does not wait for it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static bool careless = false;

class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    news_.notify_all();
    thread_.join();
  }
  void add(int job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(job);
    }
    news_.notify_all();
  }
  void wait(size_t count) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return done_.size() >= count; });
  }
  size_t done() const { return done_.size(); }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      news_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      done_.push_back(jobs_.back());
      jobs_.pop_back();
      news_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<int> jobs_, done_;
  bool ends_ = false;
  std::thread thread_;
};

static std::vector<int> made_before{1, 2, 3};
static Worker worker;

int main(int argc, char**) {
  careless = argc > 1;
  assert(made_before.size() == 3 && worker.done() == 0);
  made_before.push_back(4);
  worker.add(1);
  worker.add(2);
  if (!careless) worker.wait(2);
  assert(worker.done() == 2);
}
