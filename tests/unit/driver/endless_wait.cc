// A lost notification, hidden by a thread that never rests and always does something new.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
std::atomic<unsigned> counted;

void count() {
  for (;;) ++counted;
}

void wait_for_change() {
  std::unique_lock lock(mutex);
  changed.wait(lock);
}

}  // namespace

int main() {
  std::thread(count).detach();
  changed.notify_one();
  std::thread(wait_for_change).join();
}
