// heddle: expect=assertion budget=1000
// Double-checked initialisation, where the pointer is set before what it points to is.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {
struct Table {
  volatile int size;
};
Table storage;
Table* volatile instance;
std::mutex m;

Table* get() {
  if (instance == nullptr) {
    std::lock_guard lock(m);
    if (instance == nullptr) {
#ifdef FIXED
      storage.size = 8;
      instance = &storage;
#else
      instance = &storage;
      storage.size = 8;
#endif
    }
  }
  return instance;
}
}  // namespace

HEDDLE_FUZZ_TEST(double_checked) {
  auto use = [] { assert(get()->size == 8); };
  std::thread one(use), two(use);
  one.join();
  two.join();
}
