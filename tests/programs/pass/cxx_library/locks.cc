// heddle: expect=pass runs=500 options=report_races=1
// Each kind of mutex keeps two threads apart.
#include <heddle/heddle.h>

#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

HEDDLE_FUZZ_TEST(locks) {
  constexpr std::chrono::milliseconds soon(1);
  std::recursive_mutex recursive;
  std::timed_mutex timed;
  std::recursive_timed_mutex both;
  std::shared_mutex shared;
  std::shared_timed_mutex shared_timed;
  int counts[5] = {};
  const auto use = [&] {
    {
      std::lock_guard once(recursive);
      std::lock_guard twice(recursive);
      ++counts[0];
    }
    if (std::unique_lock lock(timed, soon); lock) ++counts[1];
    {
      std::lock_guard once(both);
      if (std::unique_lock twice(both, soon); twice) ++counts[2];
    }
    {
      std::lock_guard lock(shared);
      ++counts[3];
    }
    {
      std::shared_lock lock(shared);
      assert(counts[3] >= 1);
    }
    if (std::unique_lock lock(shared_timed, soon); lock) ++counts[4];
    if (std::shared_lock lock(shared_timed, soon); lock) assert(counts[4] >= 0);
  };
  std::thread one(use), two(use);
  one.join();
  two.join();
  assert(counts[0] == 2 && counts[2] == 2 && counts[3] == 2);
}
