// heddle: expect=pass runs=20000 options=memory=rc11
// Who finds a static variable initialised, or a function called once, sees what the initialisation has stored, in relaxed order too. The first
// attempt throws.
#include <heddle/heddle.h>
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> attempts, of_static, of_call, of_pthread;

struct Table {
  Table() {
    of_static.store(1, std::memory_order_relaxed);
    if (attempts.fetch_add(1, std::memory_order_relaxed) == 0) throw 1;
    of_static.store(2, std::memory_order_relaxed);
  }
};

void use_static() {
  try {
    static Table table;
    assert(of_static.load(std::memory_order_relaxed) == 2);
  } catch (int) {
  }
}

std::once_flag flag;
pthread_once_t control = PTHREAD_ONCE_INIT;

void work() {
  use_static();
  std::call_once(flag, [] { of_call.store(1, std::memory_order_relaxed); });
  assert(of_call.load(std::memory_order_relaxed) == 1);
  pthread_once(&control, [] { of_pthread.store(1, std::memory_order_relaxed); });
  assert(of_pthread.load(std::memory_order_relaxed) == 1);
  use_static();
}

HEDDLE_FUZZ_TEST(once) {
  attempts = of_static = of_call = of_pthread = 0;
  std::thread one(work), other(work);
  one.join();
  other.join();
}
