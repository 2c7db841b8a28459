// heddle: expect=pass runs=5000
// Containers at namespace scope that their constructors fill and every execution changes: each must begin with the same
// contents, and what an execution frees must not be gone for the next.
#include <heddle/heddle.h>

#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
std::mutex m;
std::vector<std::string> names = {"alpha", "beta, which is long enough for the heap"};
std::map<int, std::string> table = {{1, "one"}, {2, "two, which is long enough for the heap"}};
std::unique_ptr<std::string> config(new std::string("the first configuration, long enough"));
}  // namespace

HEDDLE_FUZZ_TEST(prefilled_containers) {
  assert(names.size() == 2 && names[1] == "beta, which is long enough for the heap");
  assert(table.size() == 2 && table.at(1) == "one");
  assert(*config == "the first configuration, long enough");
  auto change = [](int i) {
    std::lock_guard lock(m);
    names[1][0] = 'B';
    names.push_back("a new name that is long enough for the heap");
    table[10 + i] = "x";
    table.erase(1);
    config = std::make_unique<std::string>("another");
  };
  std::thread one(change, 1), two(change, 2);
  one.join();
  two.join();
  assert(names.size() == 4 && table.size() == 3);
}
