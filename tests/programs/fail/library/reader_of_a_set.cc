// heddle: expect=data_race budget=200 options=report_races=1
// A set is searched while another thread inserts; what links its nodes is code of libstdc++'s.
#include <heddle/heddle.h>

#include <mutex>
#include <set>
#include <thread>

HEDDLE_FUZZ_TEST(reader_of_a_set) {
  std::mutex m;
  std::set<int> numbers = {1, 2, 3};
  bool found = false;
  std::thread writer([&] {
    std::lock_guard l(m);
    numbers.insert(4);
  });
  {
#ifdef FIXED
    std::lock_guard l(m);
#endif
    found = numbers.contains(5);
  }
  writer.join();
  if (found) __builtin_trap();
}
