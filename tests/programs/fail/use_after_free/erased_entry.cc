// heddle: expect=heap-use-after-free budget=60
// A table of connections gives out pointers to its entries, and one entry is erased meanwhile. The field that is used is not the first one: only if the
// end of the block and the access are operations on the same object can the search turn their order round.
#include <heddle/heddle.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

struct Connection {
  int id;
  std::string peer;
  int sent = 0;
};

class Server {
 public:
  void open(int id) {
    std::lock_guard lock(mutex_);
    connections_[id] = std::make_unique<Connection>(Connection{id, "the name of the other side"});
  }
  void close(int id) {
    std::lock_guard lock(mutex_);
    connections_.erase(id);
  }
  size_t count() {
    std::lock_guard lock(mutex_);
    return connections_.size();
  }
  void send(int id, int bytes) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    if (const auto found = connections_.find(id); found != connections_.end()) found->second->sent += bytes;
#else
    if (Connection* const connection = find(id)) connection->sent += bytes;
#endif
  }

 private:
  Connection* find(int id) {
    std::lock_guard lock(mutex_);
    const auto found = connections_.find(id);
    return found == connections_.end() ? nullptr : found->second.get();
  }
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Connection>> connections_;
};

}  // namespace

HEDDLE_FUZZ_TEST(erased_entry) {
  Server server;
  for (int id = 0; id < 6; ++id) server.open(id);
  std::thread sender([&] {
    for (int id = 0; id < 6; ++id) server.send(id, 10);
  });
  std::thread closer([&] {
    for (int id = 5; id >= 0; --id) {
      if (id == 2) server.close(id);
      else server.count();
    }
  });
  sender.join();
  closer.join();
}
