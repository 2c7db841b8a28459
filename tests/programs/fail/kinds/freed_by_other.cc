// heddle: expect=heap-use-after-free budget=2000
// One thread gives a buffer back while another is between its look at the flag and its use.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

namespace {
struct Buffer {
  int size = 3;
};
Buffer* volatile shared;
volatile bool closed;
[[maybe_unused]] std::mutex m;
}  // namespace

HEDDLE_FUZZ_TEST(freed_by_other) {
  closed = false;
  shared = new Buffer;
  std::thread user([] {
    for (int i = 0; i < 3; ++i) {
#ifdef FIXED
      std::lock_guard lock(m);
#endif
      if (closed) return;
      shared->size = i;
    }
  });
  std::thread owner([] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    closed = true;
    delete shared;
  });
  user.join();
  owner.join();
}
