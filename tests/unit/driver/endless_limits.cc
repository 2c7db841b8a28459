// A thread that works until main has waited for a second, in short waits.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable never;

void wait_a_second() {
  std::unique_lock lock(mutex);
  for (int i = 0; i < 1000; ++i) never.wait_for(lock, std::chrono::milliseconds(1));
}

}  // namespace

int main() {
  std::atomic<unsigned> counted{0};
  std::atomic<bool> over{false};
  std::thread works([&] {
    while (!over) ++counted;
  });
  wait_a_second();
  over = true;
  works.join();
}
