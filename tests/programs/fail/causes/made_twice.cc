// heddle: expect=assertion-failure budget=2000
// Two threads both see that there is no table yet, and each makes one. Each then writes to the table under a lock.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {
struct Table {
  std::mutex m;
  int entries = 0;
};
Table* table;
[[maybe_unused]] std::mutex making;

Table* get() {
#ifdef FIXED
  std::lock_guard lock(making);
#endif
  if (table == nullptr) table = new Table;
  return table;
}
void add() {
  Table* const t = get();
  std::lock_guard lock(t->m);
  ++t->entries;
}
}  // namespace

HEDDLE_FUZZ_TEST(made_twice) {
  table = nullptr;
  std::thread one(add), other(add);
  one.join();
  other.join();
  assert(table->entries == 2);
  delete table;
}
