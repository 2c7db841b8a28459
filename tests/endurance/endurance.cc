// Leaves something behind in each execution: threads in every primitive, heap, exceptions in flight, and sometimes 200 threads.
#include <heddle/chan.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

HEDDLE_KEEP uint64_t turn = 0;  // which way it goes is not up to the input: each comes in its turn

// What an abandoned thread uses must outlive main's frame.
struct Shared {
  std::mutex mutex;
  std::recursive_timed_mutex timed;
  std::shared_mutex shared;
  std::condition_variable changed;
  std::atomic<int> word{0};
  std::latch latch{2};
  std::barrier<> barrier{2};
  std::counting_semaphore<4> semaphore{0};
  std::promise<int> promise;
  std::once_flag once;
  heddle::chan<int> channel;
  sem_t posix;
  pthread_barrier_t pthread_barrier;
  pthread_spinlock_t spin;
  std::string heap = std::string(200, 'x');
};

using Wait = void (*)(Shared&);

// Each blocks without end.
constexpr Wait kWaits[] = {
    [](Shared& s) { s.mutex.lock(); },
    [](Shared& s) { s.timed.lock(); },
    [](Shared& s) { s.shared.lock_shared(); },
    [](Shared& s) { s.shared.lock(); },
    [](Shared& s) {
      std::mutex own;
      std::unique_lock lock(own);
      s.changed.wait(lock);
    },
    [](Shared& s) { s.word.wait(0); },
    [](Shared& s) { s.latch.arrive_and_wait(); },
    [](Shared& s) { s.barrier.arrive_and_wait(); },
    [](Shared& s) { s.semaphore.acquire(); },
    [](Shared& s) { s.promise.get_future().wait(); },
    [](Shared& s) { s.channel.receive(); },
    [](Shared& s) { s.channel.send(1); },
    [](Shared& s) { sem_wait(&s.posix); },
    [](Shared& s) { pthread_barrier_wait(&s.pthread_barrier); },
    [](Shared& s) { pthread_spin_lock(&s.spin); },
    [](Shared& s) {
      std::thread blocked([&] { s.mutex.lock(); });
      blocked.join();
    },
    [](Shared& s) {
      std::call_once(s.once, [&] { s.mutex.lock(); });
    },
    [](Shared&) {
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    },
};

void abandon(Wait wait) {
  auto* shared = new Shared{.channel = heddle::chan<int>(0)};  // belongs to the thread, so it is never freed
  sem_init(&shared->posix, 0, 0);
  pthread_barrier_init(&shared->pthread_barrier, nullptr, 2);
  pthread_spin_init(&shared->spin, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&shared->spin);
  shared->mutex.lock();
  shared->timed.lock();
  shared->shared.lock();
  std::thread([shared, wait] {
    const std::string on_its_stack = shared->heap + "and more";
    wait(*shared);
  }).detach();
}

// An exception passes a thread that is joined on its way.
void throw_across_join() {
  try {
    std::atomic<int> count{0};
    std::jthread other([&] { ++count; });
    throw std::runtime_error("on its way through the join");
  } catch (const std::exception&) {
  }
  auto failed = std::async(std::launch::async, []() -> int { throw std::runtime_error("out of a thread"); });
  try {
    failed.get();
  } catch (const std::exception&) {
  }
}

void* leaves(void* s) {
  const std::string unwound(100, 'y');
  pthread_exit(s);
}

void leave_by_pthread_exit() {
  pthread_t thread;
  pthread_create(&thread, nullptr, leaves, nullptr);
  pthread_join(thread, nullptr);
}

void many_threads() {
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 200; ++i) threads.emplace_back([&] { ++count; });
  for (std::thread& t : threads) t.join();
}

}  // namespace

HEDDLE_FUZZ_TEST(endurance) {
  constexpr uint64_t kWays = std::size(kWaits);
  const uint64_t now = turn++;
  if (now % 1000 == 999) {
    many_threads();
  } else if (now % (kWays + 2) < kWays) {
    abandon(kWaits[now % (kWays + 2)]);
  } else if (now % (kWays + 2) == kWays) {
    throw_across_join();
  } else {
    leave_by_pthread_exit();
  }
}
