// A thread that tries again and again after main has ended, and counts how often; another one has long been asleep.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<unsigned> tried{0};

__attribute__((noinline)) static bool retry() { return ++tried == 0; }

__attribute__((noinline)) static void connect_to() {
  while (!retry()) {
  }
}

int main() {
  static std::atomic<bool> asleep{false};
  std::thread(connect_to).detach();
  std::thread([] {
    asleep = true;
    std::this_thread::sleep_for(std::chrono::hours(100'000));
  }).detach();
  while (!asleep) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  pthread_exit(nullptr);
}
