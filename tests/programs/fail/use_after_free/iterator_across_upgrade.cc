// heddle: expect=heap-use-after-free budget=3000
// A cache of sessions: a look-up keeps its iterator while it gives back the lock for reading and takes the one for writing.
#include <heddle/heddle.h>

#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace {
struct Session {
  int uses = 0;
  int last = 0;
};
class Sessions {
 public:
  void open(const std::string& user) {
    std::unique_lock lock(mutex_);
    sessions_[user] = {};
  }
  bool touch(const std::string& user, int now) {
    std::shared_lock reading(mutex_);
    auto at = sessions_.find(user);
    if (at == sessions_.end()) return false;
    reading.unlock();
    std::unique_lock writing(mutex_);
#ifdef FIXED
    at = sessions_.find(user);
    if (at == sessions_.end()) return false;
#endif
    ++at->second.uses;
    at->second.last = now;
    return true;
  }
  int expire(int before) {
    std::unique_lock lock(mutex_);
    return static_cast<int>(std::erase_if(sessions_, [&](const auto& s) { return s.second.last < before; }));
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::string, Session> sessions_;
};
}  // namespace

HEDDLE_FUZZ_TEST(iterator_across_upgrade) {
  Sessions sessions;
  sessions.open("ann");
  sessions.open("bob");
  std::thread request([&] {
    sessions.touch("ann", 3);
    sessions.touch("bob", 4);
  });
  std::thread janitor([&] { sessions.expire(2); });
  request.join();
  janitor.join();
}
