// heddle: expect=assertion budget=500
// A second view made by mremap with an old size of 0, and the first one moved by mremap while a thread holds the lock there: it is the same lock everywhere.
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cassert>
#include <thread>

namespace {

struct Counter {
  pthread_mutex_t lock;
  int n;
};

constexpr size_t kSize = 4096;

void count(Counter& c, bool locks) {
  if (locks) pthread_mutex_lock(&c.lock);
  const int n = c.n;
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&own);  // time for others
  pthread_mutex_unlock(&own);
  c.n = n + 1;
  if (locks) pthread_mutex_unlock(&c.lock);
}

}  // namespace

HEDDLE_FUZZ_TEST(moved) {
  void* first = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  void* const second = mremap(first, 0, kSize, MREMAP_MAYMOVE);
  assert(first != MAP_FAILED && second != MAP_FAILED);
  auto* const c = static_cast<Counter*>(second);
  pthread_mutex_init(&c->lock, nullptr);
  pthread_mutex_lock(&static_cast<Counter*>(first)->lock);
#ifdef FIXED
  std::thread other([&] { count(*c, true); });
#else
  std::thread other([&] { count(*c, false); });
#endif
  first = mremap(first, kSize, 4 * kSize, MREMAP_MAYMOVE);
  assert(first != MAP_FAILED);
  auto* const here = static_cast<Counter*>(first);
  count(*here, false);  // holding the lock
  pthread_mutex_unlock(&here->lock);
  other.join();
  [[maybe_unused]] const int n = c->n;
  munmap(first, 4 * kSize);
  pthread_mutex_lock(&c->lock);
  pthread_mutex_unlock(&c->lock);
  munmap(second, kSize);
  assert(n == 2);
}
