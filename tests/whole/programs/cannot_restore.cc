// State that cannot be put back in process, and what seems to be such, by the argument.
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

extern "C" int count_in_library();

// A mapping from before main is not put back.
static volatile int* const outlives = static_cast<int*>(
    mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "library") assert(count_in_library() == 1);
  if (what == "hangs") {
    while (++*outlives > 1) asm volatile("");
  }
  if (what == "operations") {
    static std::mutex mutex;
    static std::atomic<int> count;
    count = 1;
    if (++*outlives > 1) mutex.lock();
    count = 2;
  }
  if (what == "stdio") std::ios::sync_with_stdio(false);
  if (what == "limit") {
    rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files = {--files.rlim_max, files.rlim_max};
    assert(setrlimit(RLIMIT_NOFILE, &files) == 0);
  }
  if (what == "runtime") {
    // What the C++ library makes at the first use of these, it keeps.
    try {
      throw std::runtime_error(what);
    } catch (const std::exception&) {
    }
    std::shared_ptr<int> shared;
    std::atomic_store(&shared, std::make_shared<int>(1));
  }
  if (what == "addresses") {
    auto* const left_behind = new int[1000];
    std::atomic<int*> shared(left_behind);
    std::thread([&] { assert(shared.load() == left_behind); }).join();
  }
  if (what == "rarely") {
    // Only when the schedule wants it.
    static bool done = false;
    std::thread thread([] { __atomic_store_n(&done, true, __ATOMIC_SEQ_CST); });
    if (__atomic_load_n(&done, __ATOMIC_SEQ_CST)) std::ios::sync_with_stdio(false);
    thread.join();
  }
  if (what == "long") {
    // Stopped before its end, in each execution.
    std::atomic<long> count{0};
    const auto work = [&] {
      for (int i = 0; i < 600'000; ++i) ++count;
    };
    std::thread other(work);
    work();
    other.join();
  }
#if defined(__x86_64__)
  // The bytes of rdtsc, which heddle sees only in the finished program. That it has them is said once, on machines that show it the real time.
  if (what == "counter") {
    unsigned low, high;
    asm volatile(".byte 0x0f, 0x31" : "=a"(low), "=d"(high));
    assert((static_cast<unsigned long>(high) << 32 | low) != 0);
  }
#endif
  std::cout << "hello\n";
}
