// heddle: expect=assertion options=memory=rc11 budget=4000
// Dekker's flags, of which one is no atomic, as in code that is older than C++11. C++ gives no meaning to such a race. heddle does: plain values
// are never stale, and seq_cst fences follow the order of execution. So only the missing fence is a bug. (FIXED: with it.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

volatile int one_is_here;
std::atomic<int> other_is_here;

HEDDLE_FUZZ_TEST(racing_flag) {
  one_is_here = 0;
  other_is_here = 0;
  bool one_enters = false, other_enters = false;
  std::thread one([&one_enters] {
    one_is_here = 1;
#ifdef FIXED
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    one_enters = other_is_here.load(std::memory_order_relaxed) == 0;
  });
  std::thread other([&other_enters] {
    other_is_here.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    other_enters = one_is_here == 0;
  });
  one.join();
  other.join();
  assert(!one_enters || !other_enters);
}
