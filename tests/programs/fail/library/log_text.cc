// heddle: expect=assertion budget=2000 flags=-std=c++17
// Two threads append to one string. Up to C++17, the members of std::string are in libstdc++.so.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::string text;
[[maybe_unused]] std::mutex m;

void log(const char* line) {
#ifdef FIXED
  const std::lock_guard<std::mutex> lock(m);
#endif
  text += line;
}

}  // namespace

HEDDLE_FUZZ_TEST(log_text) {
  std::thread one([] { log("one;"); }), two([] { log("two;"); });
  one.join();
  two.join();
  assert(text.size() == 8);
}
