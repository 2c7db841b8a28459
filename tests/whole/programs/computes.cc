// A thread computes without end, and others wait for it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready = false;
static volatile unsigned value;

__attribute__((noinline)) static void compute() {
  for (;;) value = value * 3 + 1;
}

__attribute__((noinline)) static void wait_until_ready() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return ready; });
}

int main() {
  std::thread waiter(wait_until_ready), worker(compute);
  worker.join();
  waiter.join();
}
