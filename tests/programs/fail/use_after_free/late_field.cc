// heddle: expect=heap-use-after-free budget=1000
// A worker updates a counter far from the beginning of a record. The reaper takes the record out of the table and frees it meanwhile. (The first field of
// the record is not accessed by both.)
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Session {
  int id;
  char name[200];
  long requests;
};

class Table {
 public:
  void put(int i) { sessions_[i] = static_cast<Session*>(std::calloc(1, sizeof(Session))); }
  Session* get(int i) {
    std::lock_guard lock(mutex_);
    return sessions_[i];
  }
  Session* take(int i) {
    std::lock_guard lock(mutex_);
    Session* const taken = sessions_[i];
    sessions_[i] = nullptr;
    return taken;
  }
  void count(int i) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    if (sessions_[i] != nullptr) ++sessions_[i]->requests;
#else
    if (Session* const session = get(i)) ++session->requests;
#endif
  }

 private:
  std::mutex mutex_;
  Session* sessions_[4] = {};
};

}  // namespace

HEDDLE_FUZZ_TEST(late_field) {
  Table table;
  for (int i = 0; i < 4; ++i) table.put(i);
  std::thread worker([&] {
    for (int i = 0; i < 4; ++i) table.count(i);
  });
  std::thread reaper([&] {
    for (int i = 3; i > 0; --i) table.get(i);
    std::free(table.take(1));
  });
  worker.join();
  reaper.join();
  for (int i = 0; i < 4; ++i) std::free(table.take(i));
}
