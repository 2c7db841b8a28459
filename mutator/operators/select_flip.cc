// Another outcome of a choice of the select kind: which waiter a signal wakes, whether a timed wait runs out, whether a
// wait returns without a signal, which case a select takes. 0 is what happens without interference.
#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {
bool chooses(const Event& e) {
  switch (e.kind) {
    case Kind::cond_signal:
    case Kind::cond_wake:
    case Kind::mutex_timedlock:
    case Kind::select: return true;
    default: return false;
  }
}
}  // namespace

bool select_flip(Context& c) {
  auto& list = c.schedule.selects;
  if (!list.empty() && c.rng.chance(1, 4)) {
    list.erase(list.begin() + c.rng.below(static_cast<uint32_t>(list.size())));
    return true;
  }
  if (!c.run || list.size() >= kMaxPreferences) return false;
  uint32_t found = kNone, count = 0;
  for (uint32_t i = 0; i < c.run->run().events.size(); ++i) {
    if (chooses(c.run->event(i)) && c.run->event(i).site && c.rng.below(++count) == 0) found = i;
  }
  if (found == kNone) return false;
  const Event& e = c.run->event(found);
  SelectPreference p{};
  p.thread = c.rng.chance(1, 2) ? c.run->run().threads[e.thread].id : kAnyThread;
  p.site = e.site;
  p.instance = c.rng.chance(3, 4) ? e.occurrence : 0;
  p.kind = e.kind;
  const bool yes_no = e.kind == Kind::cond_wake || e.kind == Kind::mutex_timedlock;
  if (yes_no) {
    const bool early = e.outcome == Outcome::spurious || e.outcome == Outcome::timeout;
    p.choice = early ? 0 : 1;
  } else {
    // The choice taken is left out of the draw; -1 is the default case of a select.
    const int32_t lowest = e.kind == Kind::select ? -1 : 0;
    p.choice = lowest + static_cast<int32_t>(c.rng.below(4));
    if (p.choice == static_cast<int32_t>(e.choice)) ++p.choice;
  }
  // The first that fits decides: at the end of the list, a wider or narrower one of the parent's would overrule it.
  const auto same = std::find_if(list.begin(), list.end(), [&p](const SelectPreference& old) {
    return old.thread == p.thread && old.site == p.site && old.instance == p.instance && old.kind == p.kind;
  });
  if (same != list.end()) {
    if (same == list.begin() && same->choice == p.choice) return false;
    list.erase(same);
  }
  list.insert(list.begin(), p);
  return true;
}

}  // namespace heddle::mutator
