// Parent runs under a weak memory model, for the tests of the mutator.
#pragma once

#include <algorithm>
#include <map>

#include "parent.h"
#include "schema/coherence.h"

namespace heddle::mutator {

// A run with a modification order. Stores are appended, or inserted behind `after`.
struct WeakParent : Parent {
  std::map<uint32_t, std::vector<uint32_t>> mo;  // object -> events

  uint32_t load(uint32_t thread, uint32_t object, uint32_t from) { return made(thread, Kind::atomic_load, object, from); }
  uint32_t store(uint32_t thread, uint32_t object) { return store_behind(thread, object, mo[object].empty() ? kNoEvent : mo[object].back()); }
  uint32_t store_behind(uint32_t thread, uint32_t object, uint32_t after) {
    return insert(made(thread, Kind::atomic_store, object, kNoEvent), after);
  }
  uint32_t update(uint32_t thread, uint32_t object, uint32_t from) { return insert(made(thread, Kind::atomic_rmw, object, from), from); }

  void known(KnownRun& out) const {
    std::vector<StoreOrder> coherence;
    for (const auto& [object, stores] : mo) {
      for (size_t k = 0; k < stores.size(); ++k) coherence.push_back({stores[k], k == 0 ? kNoEvent : stores[k - 1], 0});
    }
    RunSummary run = summary();
    run.coherence = coherence.data();
    run.coherence_count = static_cast<uint32_t>(coherence.size());
    out.assign(run);
  }

 private:
  uint32_t made(uint32_t thread, Kind kind, uint32_t object, uint32_t from) {
    Event& e = add(thread, 100 + static_cast<SiteId>(events.size()), kind, object);
    e.partner = from;
    return static_cast<uint32_t>(events.size()) - 1;
  }
  uint32_t insert(uint32_t event, uint32_t after) {
    auto& list = mo[events[event].object];
    const auto at = after == kNoEvent ? list.begin() : std::next(std::find(list.begin(), list.end(), after));
    list.insert(at, event);
    return event;
  }
};

struct Known : KnownRun {
  explicit Known(const WeakParent& p) { p.known(*this); }
};

}  // namespace heddle::mutator
