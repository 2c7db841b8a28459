// heddle: expect=blocked-threads budget=1000
// Requests are answered in batches by whoever comes first. That thread finds no more of them, and gives up its part a little
// later: a request that comes in between is answered by nobody.
#include <heddle/heddle.h>

#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {
class Batches {
 public:
  void submit() {
    std::promise<void> mine;
    std::future<void> answer = mine.get_future();
    bool leads = false;
    {
      std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(mine));
      if (!has_leader_) leads = has_leader_ = true;
    }
    while (leads) {
      std::vector<std::promise<void>> batch;
      {
        std::lock_guard lock(mutex_);
        batch.swap(waiting_);
#ifdef FIXED
        if (batch.empty()) leads = has_leader_ = false;
#endif
      }
      for (auto& promise : batch) promise.set_value();
#ifndef FIXED
      if (!batch.empty()) continue;
      std::lock_guard lock(mutex_);
      leads = has_leader_ = false;
#endif
    }
    answer.get();
  }

 private:
  std::mutex mutex_;
  std::vector<std::promise<void>> waiting_;
  bool has_leader_ = false;
};
}  // namespace

HEDDLE_FUZZ_TEST(nobody_leads) {
  Batches batches;
  std::thread other([&] { batches.submit(); });
  batches.submit();
  other.join();
}
