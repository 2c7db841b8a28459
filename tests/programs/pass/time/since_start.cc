// heddle: expect=pass runs=500
// What a constructor reads of the clocks is shortly before what an execution reads, however long ago the machine or the process was started.
#include <heddle/heddle.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using System = std::chrono::system_clock;

struct Start {
  Steady::time_point steady = Steady::now();
  System::time_point system = System::now();
  std::time_t seconds = std::time(nullptr);
  std::clock_t processor = std::clock();
  timeval of_day = {};
  bool waited = false;

  Start() {
    gettimeofday(&of_day, nullptr);
    std::this_thread::sleep_for(20ms);
    std::this_thread::sleep_until(Steady::now() + 10ms);
    while (Steady::now() < steady + 40ms) {
    }
    std::mutex mutex;
    std::condition_variable nobody;
    std::unique_lock lock(mutex);
    waited = !nobody.wait_for(lock, 20ms, [] { return false; });
  }
};
Start g_start;

}  // namespace

HEDDLE_FUZZ_TEST(since_start) {
  assert(g_start.waited);
  std::thread other([] {
    const auto steady = Steady::now() - g_start.steady;
    assert(steady >= 60ms && steady < 5s);
  });
  other.join();
  const auto system = System::now() - g_start.system;
  assert(system >= 60ms && system < 5s);
  assert(std::time(nullptr) - g_start.seconds <= 5);
  assert(std::clock() >= g_start.processor && std::clock() - g_start.processor < 5 * CLOCKS_PER_SEC);
  timeval now;
  gettimeofday(&now, nullptr);
  assert(now.tv_sec - g_start.of_day.tv_sec <= 5 && now.tv_sec >= g_start.of_day.tv_sec);
}
