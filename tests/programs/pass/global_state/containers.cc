// heddle: expect=pass runs=500 asan
// Statics with memory on the heap, built by the program's start-up code or in the execution, start afresh without a leak.
#include <heddle/heddle.h>

#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
std::vector<int> global;
std::mutex m;

std::map<std::string, int>& table() {
  static std::map<std::string, int> instance;
  return instance;
}

void use(const char* name) {
  std::lock_guard lock(m);
  table()[name] = 1;
}
}  // namespace

HEDDLE_FUZZ_TEST(containers) {
  assert(table().empty() && global.empty());
  std::thread one(use, "one"), two(use, "a name that does not fit into a small string");
  one.join();
  two.join();
  assert(table().size() == 2);
  global.push_back(1);
  global = std::vector<int>();
}
