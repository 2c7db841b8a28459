// heddle: expect=heap-use-after-free budget=1000
// One thread walks over a vector while another one appends to it: the elements move, and their old place is freed.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>
#include <vector>

namespace {
[[maybe_unused]] std::mutex m;
}

HEDDLE_FUZZ_TEST(growing_vector) {
  std::vector<int> v{1, 2, 3, 4};
  std::thread appends([&v] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    v.push_back(5);
  });
  volatile int sum = 0;
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    for (size_t i = 0; i < v.size(); ++i) sum = sum + v[i];  // (two iterators, of the old and the new place, would walk over all of the heap)
  }
  appends.join();
}
