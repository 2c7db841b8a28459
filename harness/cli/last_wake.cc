#include "harness/cli/last_wake.h"

#include <algorithm>
#include <map>

namespace heddle::cli {
namespace {

class Waits {
 public:
  explicit Waits(const StoredTrace& run) : run_(run) {
    for (uint32_t i = 0; i < run.events.size(); ++i) look_at(i);
  }
  std::vector<LastWakeAt> take() const {
    std::vector<LastWakeAt> out;
    for (const auto& [object, last] : last_) {
      const auto woken = waiting_.find(last.thread);
      if (woken == waiting_.end() || !woken->second.again) continue;
      for (const auto& [thread, wait] : waiting_) {
        if (thread == last.thread || wait.object != object || wait.since > last.notification) continue;
        const LastWake wake = {woken->second.site, wait.site};
        const auto same = [&](const LastWakeAt& other) { return other.wake == wake; };
        if (std::none_of(out.begin(), out.end(), same)) out.push_back({wake, last.notification});
      }
    }
    return out;
  }

 private:
  struct Wait {
    SiteId site;
    uint32_t object, since;
    bool again;  // the last notification has woken the thread, and it has done nothing but to wait again
  };
  struct Last {
    uint32_t notification, thread;
  };

  void look_at(uint32_t index) {
    const Event& e = run_.events[index];
    if (e.kind == Kind::cond_wait) return begin(index);
    if (e.kind == Kind::cond_wake) return e.finished() ? end(e) : void();
    if (!kind_info(e.kind).has(kHoldsLock)) woken_.erase(e.thread);  // it takes the mutex before it looks
  }
  void begin(uint32_t index) {
    const Event& e = run_.events[index];
    const auto woken = woken_.find(e.thread);
    const auto last = last_.find(e.object);
    const bool again = woken != woken_.end() && woken->second == e.site && last != last_.end() && last->second.thread == e.thread;
    waiting_[e.thread] = {e.site, e.object, index, again};
    woken_.erase(e.thread);
  }
  void end(const Event& e) {
    waiting_.erase(e.thread);
    const bool by_one = e.partner < run_.events.size() && run_.events[e.partner].kind == Kind::cond_signal;
    const auto last = last_.find(e.object);
    if (!by_one || (last != last_.end() && last->second.notification > e.partner)) return;
    last_[e.object] = {e.partner, e.thread};
    woken_[e.thread] = e.site;
  }

  const StoredTrace& run_;
  std::map<uint32_t, Wait> waiting_;  // by thread
  std::map<uint32_t, SiteId> woken_;  // by thread: where it waited
  std::map<uint32_t, Last> last_;     // by object: the last notification that has woken a thread
};

}  // namespace

std::vector<LastWakeAt> last_wakes(const StoredTrace& run) { return Waits(run).take(); }

}  // namespace heddle::cli
