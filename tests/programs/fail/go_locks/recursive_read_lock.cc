// heddle: expect=deadlock budget=500
// A function that reads under the lock calls another one that does so, too: a writer that comes in between stops the second.
#include <heddle/mutex.h>

#include <thread>

namespace {

struct Table {
  heddle::rw_mutex lock;
  int entries = 0;

  int size() {
    const std::shared_lock reading(lock);
    return entries;
  }
  bool empty() {
#ifndef FIXED
    const std::shared_lock reading(lock);
#endif
    return size() == 0;
  }
  void add() {
    const std::lock_guard writing(lock);
    ++entries;
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(recursive_read_lock) {
  Table table;
  std::thread writer([&] { table.add(); });
  table.empty();
  writer.join();
}
