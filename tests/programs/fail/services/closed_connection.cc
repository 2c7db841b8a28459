// heddle: expect=assertion budget=3000
// A connection pool lends out an idle connection that the reaper is about to close.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace db {

class Connection {
 public:
  explicit Connection(int id) : id_(id) {}
  int id() const { return id_; }
  bool open() const { return open_.load(); }
  void close() { open_.store(false); }
  std::string query(const std::string& text) {
    assert(open() && "query on a closed connection");
    return text + " by " + std::to_string(id_);
  }

 private:
  const int id_;
  std::atomic<bool> open_{true};
};

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) idle_.push_back(std::make_shared<Connection>(next_++));
  }

  std::shared_ptr<Connection> borrow() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !idle_.empty(); });
    auto connection = idle_.front();
    idle_.pop_front();
    return connection;
  }

  void give_back(std::shared_ptr<Connection> connection) {
    {
      std::lock_guard lock(mutex_);
      idle_.push_back(std::move(connection));
    }
    returned_.notify_one();
  }

  // Closes the connection that has been idle longest, and puts a fresh one in its place.
  void reap() {
    std::shared_ptr<Connection> oldest;
    {
      std::lock_guard lock(mutex_);
      if (idle_.empty()) return;
      oldest = idle_.front();
#ifdef FIXED
      idle_.pop_front();
#endif
    }
    auto fresh = std::make_shared<Connection>(next_++);
    oldest->close();
#ifdef FIXED
    give_back(fresh);
#else
    std::lock_guard lock(mutex_);
    for (auto& connection : idle_) {
      if (connection == oldest) connection = fresh;
    }
#endif
  }

 private:
  std::mutex mutex_;
  std::condition_variable returned_;
  std::deque<std::shared_ptr<Connection>> idle_;
  std::atomic<int> next_{0};
};

}  // namespace db

HEDDLE_FUZZ_TEST(closed_connection) {
  db::Pool pool(2);
  std::thread reaper([&] { pool.reap(); });
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&pool] {
      auto connection = pool.borrow();
      connection->query("select 1");
      pool.give_back(connection);
    });
  }
  for (auto& c : clients) c.join();
  reaper.join();
}
