// heddle: expect=data_race options=report_races=1 budget=200
// The reader does not take the lock. What it races with is in the vector's growth: a function of its own, of which libFuzzer has an instance, too. The
// program must have its own one.
#include <heddle/heddle.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(names_reallocated) {
  const std::string name = "anna";
  std::vector<std::string> names;
  std::mutex m;
  std::thread adds([&] {
    const std::lock_guard lock(m);
    names.push_back(name);
  });
  {
#ifdef FIXED
    const std::lock_guard lock(m);
#endif
    [[maybe_unused]] static volatile size_t count;
    count = names.size();
  }
  adds.join();
}
