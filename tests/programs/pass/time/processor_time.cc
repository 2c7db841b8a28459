// heddle: expect=pass runs=2000
// How often a thread does something depends on the processor time that it has used: the same in every run.
#include <heddle/heddle.h>
#include <sys/resource.h>
#include <sys/times.h>

#include <cassert>
#include <chrono>
#include <ctime>
#include <mutex>
#include <thread>

static long used() {
  rusage own;
  assert(getrusage(RUSAGE_SELF, &own) == 0);
  assert(own.ru_minflt == 0 && own.ru_nvcsw == 0);
  return own.ru_utime.tv_sec * 1'000'000 + own.ru_utime.tv_usec;
}

HEDDLE_FUZZ_TEST(processor_time) {
  std::mutex m;
  long rounds = 0;
  std::thread other([&] {
    const long begin = used();
    while (used() < begin + 5) {
      std::lock_guard lock(m);
      ++rounds;
    }
  });
  tms first = {}, second = {};
  const clock_t before = times(&first);
  {
    std::lock_guard lock(m);
    ++rounds;
  }
  const clock_t after = times(&second);
  assert(after >= before && second.tms_utime >= first.tms_utime && second.tms_stime == 0);
  assert(times(nullptr) >= after);
  assert(static_cast<long>(clock()) <= used() * (CLOCKS_PER_SEC / 1'000'000));
  // No more work than time, however long the steps are in which time passes for a thread that reads clocks.
  const auto start = std::chrono::steady_clock::now();
  const long begin = used();
  std::chrono::nanoseconds passed;
  do passed = std::chrono::steady_clock::now() - start;
  while (passed < std::chrono::milliseconds(100));
  assert(std::chrono::microseconds(used() - begin) <= passed);
  other.join();
  assert(rounds > 0);
}
