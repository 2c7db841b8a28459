// heddle: expect=pass runs=2000
// thread_local variables start afresh in each thread of each execution; destructors run once per thread.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

namespace {
std::atomic<int> built, destroyed;
struct Counted {
  std::string text = "a text that is too long to be stored in place";
  Counted() { ++built; }
  ~Counted() { ++destroyed; }
};
thread_local Counted counted;
thread_local int plain = 7;
thread_local std::vector<int> numbers;

void use() {
  assert(plain == 7 && numbers.empty() && counted.text.size() == 45);
  plain = 8;
  numbers.assign(100, 3);
  counted.text += "!";
}
}  // namespace

HEDDLE_FUZZ_TEST(thread_local_fresh) {
  std::thread one(use), two(use);
  use();
  one.join();
  two.join();
  std::thread(use).join();
  assert(built == 4 && destroyed == 3);
}
