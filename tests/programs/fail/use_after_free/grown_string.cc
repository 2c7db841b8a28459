// heddle: expect=heap-use-after-free budget=1000
// A string grows while another thread reads its old characters. It is the C++ library's own code that frees them.
#include <heddle/heddle.h>

#include <mutex>
#include <string>
#include <thread>

namespace {
std::mutex m;
}

HEDDLE_FUZZ_TEST(grown_string) {
  std::string log(200, 'x'), other(10, 'x');
  std::thread writer([&] {
    std::lock_guard lock(m);
    log.append(200, 'y');
    other.append(190, 'x');
  });
  {
    std::unique_lock lock(m);
    const char* const first = log.data();
#ifndef FIXED
    lock.unlock();
#endif
    volatile char seen = *first;
    (void)seen;
  }
  writer.join();
}
