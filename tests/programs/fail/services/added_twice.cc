// heddle: expect=assertion budget=3000
// A reader gives its lock back and becomes a writer, and does not look again: two threads add the same entry, and one is lost.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <thread>

struct Channel {
  explicit Channel(std::string n) : name(std::move(n)) {}
  std::string name;
  std::atomic<int> subscribers{0};
};

class Registry {
 public:
  Channel* find_or_add(const std::string& name) {
    lock_.lock_shared();
    auto at = channels_.find(name);
    if (at == channels_.end()) {
      lock_.unlock_shared();  // no upgrade: give it back, and take it as a writer
      lock_.lock();
      auto& slot = channels_[name];
#ifdef FIXED
      if (slot == nullptr) slot = std::make_unique<Channel>(name);
#else
      slot = std::make_unique<Channel>(name);
#endif
      Channel* made = slot.get();
      ++made->subscribers;
      lock_.unlock();
      return made;
    }
    Channel* found = at->second.get();
    ++found->subscribers;
    lock_.unlock_shared();
    return found;
  }
  int subscribers(const std::string& name) {
    std::shared_lock lock(lock_);
    return channels_.at(name)->subscribers;
  }

 private:
  std::shared_mutex lock_;
  std::map<std::string, std::unique_ptr<Channel>> channels_;
};

HEDDLE_FUZZ_TEST(added_twice) {
  Registry registry;
  std::thread one([&] { registry.find_or_add("news"); });
  std::thread other([&] { registry.find_or_add("news"); });
  one.join();
  other.join();
  assert(registry.subscribers("news") == 2);
}
