// heddle: expect=data_race budget=500 options=report_races=1
// One thread walks through a list while another one moves an element to its end: the list's size stays, its links do not.
#include <heddle/heddle.h>

#include <list>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(walk_and_unlink) {
  std::mutex m;
  std::list<int> order = {1, 2, 3};
  std::thread user([&] {
    std::lock_guard l(m);
    order.splice(order.end(), order, order.begin());
  });
  int sum = 0;
  {
#ifdef FIXED
    std::lock_guard l(m);
#endif
    for (const int i : order) sum += i;
  }
  user.join();
  if (sum < 0) __builtin_trap();
}
