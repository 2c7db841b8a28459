// Loaded by loads_plugin.c, which is not linked with it.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static int sum = 0;
static thread_local std::vector<int> own;

extern "C" int count_with_threads(int count) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([] {
      own.push_back(1);
      std::lock_guard lock(mutex);
      sum += static_cast<int>(own.size());
    });
  }
  for (auto& thread : threads) thread.join();
  return sum;
}
