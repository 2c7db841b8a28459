// Small enough to know the figures of the progress line. Three locked sections have six orders. One position that uses an object is
// reached by main alone. With RACES, one pair of positions races. PROGRAM: a whole program. SERVICE: the same, and a thread sleeps in rounds
// until the process ends.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#if defined(PROGRAM) || defined(SERVICE)
int main() {
#else
HEDDLE_FUZZ_TEST(progress) {
#endif
  std::mutex lock;
  std::atomic<int> own{0};
  [[maybe_unused]] int raced = 0, seen = 0;
  const auto enter = [&] { const std::lock_guard guard(lock); };
  ++own;
#ifdef SERVICE
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }).detach();
#endif
#ifdef RACES
  std::thread one([&] { raced = 1, enter(); });
  std::thread two([&] { seen = raced, enter(); });
#else
  std::thread one(enter), two(enter);
#endif
  std::thread three(enter);
  one.join();
  two.join();
  three.join();
}
