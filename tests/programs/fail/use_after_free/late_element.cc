// heddle: expect=heap-use-after-free budget=1000
// A reader keeps a pointer to an element far from the beginning of a vector, which grows meanwhile.
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Log {
 public:
  void add(long entry) {
    std::lock_guard lock(mutex_);
    entries_.push_back(entry);
  }
  long at(size_t i) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    return entries_[i];
#else
    return *find(i);
#endif
  }

 private:
  const long* find(size_t i) {
    std::lock_guard lock(mutex_);
    return &entries_[i];
  }
  std::mutex mutex_;
  std::vector<long> entries_;
};

}  // namespace

HEDDLE_FUZZ_TEST(late_element) {
  Log log;
  for (long i = 0; i < 62; ++i) log.add(i);
  std::thread reader([&] {
    for (size_t i = 40; i < 46; ++i) {
      if (log.at(i) != static_cast<long>(i)) std::abort();
    }
  });
  for (long i = 62; i < 66; ++i) log.add(i);
  reader.join();
}
