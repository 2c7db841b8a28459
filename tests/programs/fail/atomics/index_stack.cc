// heddle: expect=assertion budget=300000 seeds=2
// A lock-free stack of indices, in the manner of Relacy's example: a thread marks the top with -1 while it takes it. A push writes the mark away
// before the cell is in the stack again, so two threads can own one cell. That takes five preemptions of three threads, and no order on the way
// to it looks special.
#include <assert.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

constexpr int kCells = 3;

struct Cell {
  std::atomic<int> next;
  volatile int owner;
};

struct Stack {
  Cell cells[kCells];
  std::atomic<int> top{0}, count{kCells};
#ifdef FIXED
  std::mutex mutex;
#endif

  Stack() {
    for (int i = 0; i < kCells; ++i) cells[i].next = i + 1 < kCells ? i + 1 : -1;
  }

  int pop() {
#ifdef FIXED
    std::lock_guard guard(mutex);
#endif
    while (count > 1) {
      int cell = top;
      const int next = cells[cell].next.exchange(-1);
      if (next < 0) continue;
      const int taken = cell;
      if (top.compare_exchange_strong(cell, next)) {
        --count;
        return taken;
      }
      cells[taken].next.exchange(next);
    }
    return -1;
  }

  void push(int cell) {
#ifdef FIXED
    std::lock_guard guard(mutex);
#endif
    int before = top;
    do {
      cells[cell].next = before;
    } while (!top.compare_exchange_strong(before, cell));
    ++count;
  }
};

void work(Stack& stack, int me) {
  for (int round = 0; round < 2; ++round) {
    int cell;
    while ((cell = stack.pop()) < 0) std::this_thread::yield();
    stack.cells[cell].owner = me;
    assert(stack.cells[cell].owner == me);
    stack.push(cell);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) {
  Stack stack;
  std::thread a(work, std::ref(stack), 0), b(work, std::ref(stack), 1), c(work, std::ref(stack), 2);
  a.join();
  b.join();
  c.join();
  return 0;
}
