// heddle: expect=heap-use-after-free budget=2000
// A task asks whether its object is still alive, and then uses it. The owner says that it is gone, and frees it, in between.
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

struct Loader {
  int progress = 0;
};

HEDDLE_FUZZ_TEST(alive_when_asked) {
  std::atomic<bool> alive{true};
  std::mutex mutex;
  Loader* const loader = new Loader;
  std::thread task([&] {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    if (alive) ++loader->progress;
  });
  {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    alive = false;
  }
  delete loader;
  task.join();
}
