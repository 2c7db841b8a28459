// heddle: expect=assertion budget=10000
// A thread waits until a worker is done, and then reads what the worker's thread-locals write when they end.
#include <heddle/heddle.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static int flushed;

struct Buffer {
  int bytes = 0;
  ~Buffer() { flushed += bytes; }
};
static thread_local Buffer buffer;

HEDDLE_FUZZ_TEST(condvar_at_thread_exit) {
  flushed = 0;
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::thread worker([&] {
    buffer.bytes = 9;
    std::unique_lock<std::mutex> lock(mutex);
    done = true;
#ifdef FIXED
    std::notify_all_at_thread_exit(finished, std::move(lock));
#else
    lock.unlock();
    finished.notify_all();
#endif
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, [&] { return done; });
    assert(flushed == 9);
  }
  worker.join();
}
