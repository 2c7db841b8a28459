// heddle: expect=stack-use-after-return budget=500
// The caller waits for the answer only for a while. A late answer is written to the place where its variable was.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

struct Request {
  std::mutex mutex;
  std::condition_variable answered;
  std::atomic<int> answer{0};
};

std::mutex mutex;
std::condition_variable arrived;
Request* request = nullptr;
bool given_up = false;

void serve() {
  std::unique_lock lock(mutex);
  arrived.wait(lock, [] { return request != nullptr || given_up; });
  Request* const mine = request;
  if (mine == nullptr) return;
#ifndef FIXED
  lock.unlock();
#endif
  mine->answer.store(42);
  mine->answered.notify_one();
}

// The request is taken back under the lock that it is looked for under, and should be answered under.
int ask() {
  using namespace std::chrono_literals;
  Request mine;
  {
    std::lock_guard lock(mutex);
    request = &mine;
  }
  arrived.notify_one();
  {
    std::unique_lock lock(mine.mutex);
    mine.answered.wait_for(lock, 1ms, [&] { return mine.answer != 0; });
  }
  std::lock_guard lock(mutex);
  request = nullptr;
  given_up = true;
  arrived.notify_one();
  return mine.answer;
}

}  // namespace

HEDDLE_FUZZ_TEST(impatient_caller) {
  std::thread server(serve);
  std::thread client(ask);
  client.join();
  server.join();
}
