// heddle: expect=assertion budget=3000
// After MySQL's bug 791: a rotation closes the log and opens it again. A statement that looks in between takes the log for
// switched off, and is not logged.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
class Log {
 public:
  void open(const std::string& name) {
    name_ = name;
    state_ = Opened;
  }
  void write(const std::string& statement) {
#ifndef FIXED
    if (state_ != Opened) return;
#endif
    std::lock_guard lock(mutex_);
    if (state_ != Opened) return;
    entries_.push_back(name_ + ": " + statement);
  }
  void rotate() {
    std::lock_guard lock(mutex_);
    close();
    open(name_ + "+");
  }
  size_t size() const { return entries_.size(); }

 private:
  void close() { state_ = Closed; }
  enum State { Closed, Opened };
  std::mutex mutex_;
  State state_ = Closed;
  std::string name_;
  std::vector<std::string> entries_;
};

struct Table {
  Log& log;
  int rows = 0;
  std::mutex mutex{};
  void insert() {
    std::lock_guard lock(mutex);
    ++rows;
    log.write("insert");
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(binlog_rotated) {
  Log log;
  log.open("bin");
  Table table{log};
  std::thread client([&] {
    table.insert();
    table.insert();
  });
  std::thread flush([&] { log.rotate(); });
  client.join();
  flush.join();
  assert(log.size() == static_cast<size_t>(table.rows));
}
