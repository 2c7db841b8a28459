// A target whose first data byte says which bug it has. Without data: one of the default schedule.
#include <heddle/csp.h>
#include <sys/random.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>

static void lost_update() {
  std::atomic<int> counter{0};
  const auto increment = [&] { counter = counter + 1; };
  std::thread one(increment), other(increment);
  one.join();
  other.join();
  assert(counter == 2);
}

static void deadlock() {
  std::mutex a, b;
  std::thread one([&] {
    const std::lock_guard first(a);
    const std::lock_guard second(b);
  });
  std::thread other([&] {
    const std::lock_guard first(b);
    const std::lock_guard second(a);
  });
  one.join();
  other.join();
}

// The program's own lock: all operations have its line.
class OwnLock {
 public:
  [[gnu::noinline]] void lock() { mutex_.lock(); }
  [[gnu::noinline]] void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

static void own_locks() {
  OwnLock first, second;
  std::thread one([&] {
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  });
  std::thread other([&] {
    second.lock();
    first.lock();
    first.unlock();
    second.unlock();
  });
  one.join();
  other.join();
}

// Needs data and an order.
static void late_data(const uint8_t* data, size_t size) {
  std::atomic<int> sum{0};
  std::thread other([&] {
    for (size_t i = 1; i < size; ++i) sum += data[i];
  });
  if (sum == 'x' + 'y') std::abort();
  other.join();
}

// Only under a weak memory model.
static void publication() {
  std::atomic<int> length{0};
  std::atomic<bool> ready{false};
  std::thread writer([&] {
    length.store(8, std::memory_order_relaxed);
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_acquire)) assert(length.load(std::memory_order_relaxed) == 8);
  writer.join();
}

// The assertion is inlined into a function of the standard library's.
static void checked_in_function() {
  std::atomic<int> seen{0};
  std::thread other([&] { seen = 1; });
  const std::function<void()> check = [&] { assert(seen == 0); };
  check();
  other.join();
}

static void use_after_free() {
  std::atomic<int*> shared{new int(1)};
  std::atomic<int> users{0};
  std::thread other([&] {
    int* const mine = shared;
    ++users;
    if (mine != nullptr) *mine = 2;
  });
  delete shared.exchange(nullptr);
  other.join();
}

// One wrong order. The functions that use the block are several, and which one does so is chance.
[[gnu::noinline]] static void use_first(int* block) { *block = 1; }
[[gnu::noinline]] static void use_second(int* block) { *block = 2; }
[[gnu::noinline]] static void use_third(int* block) { *block = 3; }
[[gnu::noinline]] static void use_fourth(int* block) { *block = 4; }

static void used_at_many_places() {
  std::atomic<int*> shared{new int(1)};
  std::atomic<int> turn{0};
  std::thread turning([&] {
    for (int i = 0; i < 3; ++i) ++turn;
  });
  std::thread other([&] {
    int* const mine = shared;
    const int at = turn;
    if (mine == nullptr) return;
    if (at == 0) use_first(mine);
    if (at == 1) use_second(mine);
    if (at == 2) use_third(mine);
    if (at == 3) use_fourth(mine);
  });
  delete shared.exchange(nullptr);
  other.join();
  turning.join();
}

// An execution takes 25 ms, where the machine is calm.
static void slow_lost_update() {
  for (volatile int i = 0; i < 5'000'000;) i = i + 1;
  lost_update();
}

// Between leaving and writing there is no operation: only the order of two plain accesses decides.
static void plain_use_after_free() {
  int* const block = new int[4]();
  std::atomic<int> users{2};
  const auto leave = [&] {
    if (--users == 0) {
      delete[] block;
      return;
    }
    std::this_thread::yield();
    block[2] = 1;
  };
  std::thread other(leave);
  leave();
  other.join();
}

// The write can be an operation without the read.
static int plain_count;
[[gnu::noinline]] static int get_plain_count() { return plain_count; }
[[gnu::noinline]] static void set_plain_count(int count) { plain_count = count; }

static void plain_lost_update() {
  std::atomic<int> steps{0};
  std::thread beside([&] {
    ++steps;
    ++steps;
  });
  const auto increment = [] { set_plain_count(get_plain_count() + 1); };
  std::thread one(increment), other(increment);
  one.join();
  other.join();
  beside.join();
  assert(plain_count == 2);
}

// No other thread makes the accesses at which the threads must switch.
int steps_made;  // not static: nothing reads it
static int level;
[[gnu::noinline]] static void make_step(int step) {
  steps_made = step;
}
[[gnu::noinline]] static void set_level(int to) { level = to; }
[[gnu::noinline]] static int get_level() { return level; }

static void seen_between_steps() {
  std::atomic<bool> ended{false};
  std::thread other([&] {
    for (int step = 1; step <= 3; ++step) {
      make_step(step);
      set_level(step);
    }
    ended = true;
  });
  if (!ended) assert(get_level() != 2);
  other.join();
}

// The finding ends the run before its select is recorded.
static void select_of_closed() {
  const heddle::chan<int> out = heddle::make_chan<int>(1), quit = heddle::make_chan<int>(1);
  std::thread other([=] {
    quit.send(1);
    out.close();
  });
  heddle::select(heddle::on_receive(quit), heddle::on_send(out, 1));
  other.join();
}

// What the select takes follows from the order of the locks.
static void moved_token() {
  std::mutex lock;
  heddle::chan<int> tokens = heddle::make_chan<int>(1);
  const auto current = [&] {
    const std::lock_guard guard(lock);
    return tokens;
  };
  std::thread other([&] {
    const std::lock_guard guard(lock);
    tokens = heddle::make_chan<int>(1);
  });
  current().send(1);
  const bool had = heddle::select(heddle::on_receive(current()), heddle::otherwise()) == 0;
  assert(had);
  other.join();
}

// It waits for work at the end, too. Inlined, so only debug information tells its name.
static inline void wait_for_work() {
  std::mutex lock;
  std::condition_variable work;
  std::unique_lock<std::mutex> guard(lock);
  for (;;) work.wait(guard);
}

static void lost_update_beside_a_worker() {
  std::thread([] { wait_for_work(); }).detach();
  lost_update();
}

// Written through before it is set.
static void early_pointer() {
  static std::atomic<int*> pointer;
  static int value;
  std::thread other([] { pointer = &value; });
  *pointer = 1;
  other.join();
}

// Only one order makes it endless. The loop writes nothing and reads nothing new.
static void reset_too_late() {
  std::atomic<bool> go{false};
  std::thread waiter([&] {
    go = false;
    while (!go) std::this_thread::yield();
  });
  go = true;
  waiter.join();
}

// Each waits for the other, and both spin.
static void both_spin() {
  std::atomic<int> a{0}, b{0};
  std::thread other([&] {
    while (b == 0) std::this_thread::yield();
    a = 1;
  });
  while (a == 0) std::this_thread::yield();
  b = 1;
  other.join();
}

// The order of operations is the same each time.
static void random_byte() {
  unsigned char byte = 0;
  if (getrandom(&byte, 1, 0) != 1) return;
  std::thread other([] {});
  other.join();
  assert(byte % 4 != 1);
}

static void leak() {
  std::atomic<bool> early{false};
  std::thread other([&] { early = true; });
  void* volatile block = early ? std::malloc(10) : nullptr;
  block = nullptr;
  other.join();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char bug = size != 0 ? static_cast<char>(data[0]) : '0';
  if (bug == 'u') lost_update();
  if (bug == 'd') deadlock();
  if (bug == 'o') own_locks();
  if (bug == 'r') lost_update_beside_a_worker();
  if (bug == 'w') publication();
  if (bug == 's') checked_in_function();
  if (bug == 'f') use_after_free();
  if (bug == 'g') used_at_many_places();
  if (bug == 'p') plain_use_after_free();
  if (bug == 'i') plain_lost_update();
  if (bug == 'c') select_of_closed();
  if (bug == 'v') seen_between_steps();
  if (bug == 'l') slow_lost_update();
  if (bug == 'm') moved_token();
  if (bug == 'x') late_data(data, size);
  if (bug == 'z') early_pointer();
  if (bug == 'e') reset_too_late();
  if (bug == 'q') both_spin();
  if (bug == 'b') random_byte();
  if (bug == 'k') leak();
  if (bug == '0') std::thread([] { std::abort(); }).join();
  return 0;
}
