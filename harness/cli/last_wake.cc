#include "harness/cli/last_wake.h"

#include <algorithm>
#include <map>
#include <optional>

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
      const std::optional<SiteId> woken = waits_again(last.thread);
      if (!woken) continue;
      for (const auto& [thread, wait] : waiting_) {
        if (thread == last.thread || wait.object != object || wait.since > last.notification) continue;
        const LastWake wake = {*woken, wait.site};
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
    bool again;  // the last notification has woken the thread, and it has done nothing but to wait again, with time-outs perhaps
  };
  struct Last {
    uint32_t notification, thread;
  };

  // Where. A thread that polls can be between two waits at the end.
  std::optional<SiteId> waits_again(uint32_t thread) const {
    if (const auto wait = waiting_.find(thread); wait != waiting_.end()) return wait->second.again ? std::optional(wait->second.site) : std::nullopt;
    const auto polls = polling_.find(thread);
    return polls != polling_.end() ? std::optional(polls->second) : std::nullopt;
  }

  void look_at(uint32_t index) {
    const Event& e = run_.events[index];
    if (e.kind == Kind::cond_wait) return begin(index);
    if (e.kind == Kind::cond_wake) return e.finished() ? end(e) : void();
    if (kind_info(e.kind).has(kHoldsLock)) return;  // it takes the mutex before it looks
    woken_.erase(e.thread);
    polling_.erase(e.thread);
  }
  void begin(uint32_t index) {
    const Event& e = run_.events[index];
    const auto woken = woken_.find(e.thread);
    const auto last = last_.find(e.object);
    const auto polls = polling_.find(e.thread);
    const bool same = (woken != woken_.end() && woken->second == e.site) || (polls != polling_.end() && polls->second == e.site);
    const bool again = same && last != last_.end() && last->second.thread == e.thread;
    waiting_[e.thread] = {e.site, e.object, index, again};
    woken_.erase(e.thread);
    polling_.erase(e.thread);
  }
  void end(const Event& e) {
    const auto wait = waiting_.find(e.thread);
    const bool again = wait != waiting_.end() && wait->second.again;
    waiting_.erase(e.thread);
    if (again && e.outcome == Outcome::timeout) polling_[e.thread] = e.site;
    const bool by_one = e.partner < run_.events.size() && run_.events[e.partner].kind == Kind::cond_signal;
    const auto last = last_.find(e.object);
    if (!by_one || (last != last_.end() && last->second.notification > e.partner)) return;
    last_[e.object] = {e.partner, e.thread};
    woken_[e.thread] = e.site;
  }

  const StoredTrace& run_;
  std::map<uint32_t, Wait> waiting_;  // by thread
  std::map<uint32_t, SiteId> woken_;  // by thread: where it waited
  std::map<uint32_t, SiteId> polling_;  // the same, of those that have waited again and timed out since
  std::map<uint32_t, Last> last_;     // by object: the last notification that has woken a thread
};

}  // namespace

std::vector<LastWakeAt> last_wakes(const StoredTrace& run) { return Waits(run).take(); }

}  // namespace heddle::cli
