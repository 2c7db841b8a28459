// heddle: expect=data_race options=memory=rc11:report_races=1 budget=20000
// A work-stealing deque: with an acquire-release fence in take(), the owner can miss a thief who misses that the owner has taken the task.
// (FIXED: a seq_cst fence. As in Le, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory Models, PPoPP 2013.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kFence = std::memory_order_seq_cst;
#else
constexpr auto kFence = std::memory_order_acq_rel;
#endif

struct Task {
  int runs = 0;
};

class Deque {
 public:
  void push(Task* task) {
    const long b = bottom_.load(std::memory_order_relaxed);
    slots_[b % kSize].store(task, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(b + 1, std::memory_order_relaxed);
  }

  Task* take() {
    const long b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(kFence);
    long t = top_.load(std::memory_order_relaxed);
    Task* task = nullptr;
    if (t <= b) {
      task = slots_[b % kSize].load(std::memory_order_relaxed);
      if (t < b) return task;
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) task = nullptr;
    }
    bottom_.store(b + 1, std::memory_order_relaxed);
    return task;
  }

  Task* steal() {
    long t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (t >= bottom_.load(std::memory_order_acquire)) return nullptr;
    Task* const task = slots_[t % kSize].load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed) ? task : nullptr;
  }

 private:
  static constexpr long kSize = 4;
  std::atomic<long> top_{0}, bottom_{0};
  std::atomic<Task*> slots_[kSize] = {};
};

void run(Task* task) {
  if (task != nullptr) ++task->runs;
}

HEDDLE_FUZZ_TEST(chase_lev_deque) {
  Task tasks[2];
  Deque deque;
  std::thread thief([&deque] {
    for (int tries = 0; tries < 2; ++tries) run(deque.steal());
  });
  for (Task& task : tasks) deque.push(&task);
  for (int tries = 0; tries < 2; ++tries) run(deque.take());
  thief.join();
  run(deque.take());
  for (const Task& task : tasks) assert(task.runs <= 1);
}
