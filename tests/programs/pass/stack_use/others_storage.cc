// heddle: expect=pass runs=2000 options=report_races=1
// What may be used of another thread: its variables while it waits in calls below them, its thread-locals, and what lies on a stack that it has made
// for itself.
#include <heddle/heddle.h>
#include <ucontext.h>

#include <atomic>
#include <cassert>
#include <latch>
#include <mutex>
#include <thread>

namespace {

std::atomic<std::atomic<int>*> counter{nullptr};

__attribute__((noinline)) void wait_deep_down(std::latch& done, int depth) {
  volatile char room[512] = {};
  if (depth != 0) return wait_deep_down(done, depth - 1);
  room[0] = 1;
  done.wait();
}

void waits_below_its_variables() {
  int values[4] = {};
  std::mutex mutex;
  std::latch done(2);
  auto work = [&] {
    {
      std::lock_guard lock(mutex);
      for (int& value : values) ++value;
    }
    done.count_down();
  };
  std::thread a(work), b(work);
  wait_deep_down(done, 20);
  a.join();
  b.join();
  assert(values[3] == 2);
}

// `owner` shows an atomic that is 1, and waits for the latch; another thread has added one to it by then.
template <typename Owner>
void visited(Owner owner) {
  std::latch seen(1);
  std::thread one([&] { owner(seen); });
  std::thread other([&] {
    while (counter == nullptr) std::this_thread::yield();
    ++*counter;
    seen.count_down();
  });
  one.join();
  other.join();
  counter = nullptr;
}

void shows_its_thread_local() {
  visited([](std::latch& seen) {
    thread_local std::atomic<int> own{1};
    counter = &own;
    seen.wait();
    assert(own == 2);
  });
}

struct Green {
  ucontext_t thread, own;
  std::latch* seen;
};

// Waits on another stack than its thread began on.
void run_green(unsigned low, unsigned high) {
  auto* const green = reinterpret_cast<Green*>(static_cast<uintptr_t>(high) << 32 | low);
  std::atomic<int> mine{1};
  counter = &mine;
  green->seen->wait();
  assert(mine == 2);
}

void waits_on_its_own_stack() {
  visited([](std::latch& seen) {
    static char stack[64 << 10];
    Green green{};
    green.seen = &seen;
    getcontext(&green.own);
    green.own.uc_stack.ss_sp = stack;
    green.own.uc_stack.ss_size = sizeof stack;
    green.own.uc_link = &green.thread;
    const auto address = reinterpret_cast<uintptr_t>(&green);
    makecontext(&green.own, reinterpret_cast<void (*)()>(run_green), 2, static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
    swapcontext(&green.thread, &green.own);
  });
}

}  // namespace

HEDDLE_FUZZ_TEST(others_storage) {
  waits_below_its_variables();
  shows_its_thread_local();
  waits_on_its_own_stack();
}
