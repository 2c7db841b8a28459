// heddle: expect=heap-use-after-free options=memory=rc11 budget=20000 asan
// Readers without a lock, and a writer who publishes a new object and waits for the readers of the old one. Without the full fence behind a
// reader's announcement, the reader can find the old object, and the writer no reader. (FIXED: a seq_cst fence.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kFence = std::memory_order_seq_cst;
#else
constexpr auto kFence = std::memory_order_acq_rel;
#endif

struct Settings {
  int width, height;
};
std::atomic<Settings*> current;
std::atomic<int> reading[2];

void look(int me) {
  reading[me].store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(kFence);
  const Settings* const settings = current.load(std::memory_order_acquire);
  assert(settings->width == settings->height);
  reading[me].store(0, std::memory_order_release);
}

void update(int size) {
  const Settings* const old = current.load(std::memory_order_relaxed);
  current.store(new Settings{size, size}, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (auto& reader : reading) {
    while (reader.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  }
  delete old;
}

HEDDLE_FUZZ_TEST(read_copy_update) {
  reading[0] = reading[1] = 0;
  current = new Settings{1, 1};
  std::thread one(look, 0), other(look, 1);
  update(2);
  one.join();
  other.join();
  delete current.load();
}
