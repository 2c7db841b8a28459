#include "mutator/modes/order_child.h"

#include <algorithm>

#include "mutator/knowledge/seen.h"
#include "mutator/modes/order_cut.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

bool partner_in_chain(const OrderSource& source, const EventChain& chain, uint32_t select) {
  return std::any_of(chain.begin(), chain.end(), [&](uint32_t e) {
    return source.event(select).partner == e || source.event(e).partner == select;
  });
}

bool arrived_before(const Event& e, uint32_t cut) { return e.req < cut; }

// The effect of the chains of the source's schedule before the cut. What they passed before it
// becomes one chain: an order that the run had in any case changes none of its decisions. What a
// chain still held at the cut is held up to there, and then it is free, because it may stand in the
// way of the new chain. What it held in vain before is held again, until nothing else can go.
struct Before {
  Chain chain;
  std::vector<Delay> held;
};

// The last operation before the cut; kNone.
uint32_t last_before(const OrderSource& source, uint32_t cut) {
  uint32_t last = kNone;
  for (uint32_t e = 0; e < source.run().events.size(); ++e) {
    const Event& event = source.event(e);
    if (event.finished() && event.done < cut &&
        (last == kNone || event.done > source.event(last).done))
      last = e;
  }
  return last;
}

// Each list keeps its order: what waits for another thread can end later than what it was to
// precede. Between the lists, what ended first comes first.
std::vector<uint32_t> merged(const std::vector<std::vector<uint32_t>>& lists) {
  std::vector<uint32_t> all;
  std::vector<size_t> next(lists.size());
  for (;;) {
    size_t first = lists.size();
    for (size_t k = 0; k < lists.size(); ++k) {
      if (next[k] == lists[k].size()) continue;
      if (first == lists.size() || lists[k][next[k]] < lists[first][next[first]]) first = k;
    }
    if (first == lists.size()) return all;
    const uint32_t e = lists[first][next[first]++];
    // If one were twice in a chain, the second would never come.
    if (std::find(all.begin(), all.end(), e) == all.end()) all.push_back(e);
  }
}

Before chains_before(const OrderSource& source, uint32_t cut, const EventChain& without) {
  Before out;
  const Schedule& s = source.schedule();
  const auto& results = source.run().chains;
  std::vector<uint8_t> ids;  // in the order in which results stand
  for (const Element& e : s.elements) {
    if (std::find(ids.begin(), ids.end(), e.chain) == ids.end()) ids.push_back(e.chain);
  }
  if (results.size() != ids.size()) return out;
  const auto over = [&](uint32_t event) {
    return source.event(event).finished() && source.event(event).done < cut;
  };
  const uint32_t last = last_before(source, cut);
  const Element until = last == kNone ? Element{} : source.relations().exact(last);
  std::vector<std::vector<uint32_t>> passed(ids.size());
  for (size_t k = 0; k < ids.size(); ++k) {
    const Chain chain = get_chain(s, ids[k]);
    uint32_t released = kNone;  // the first operation that it held in vain
    std::vector<uint32_t> others;
    size_t end = 0;  // what comes before was passed before the cut: it had ended, or waited
    size_t shared = 0;  // of these, those of the new chain
    for (size_t i = 0; i < std::min<size_t>(results[k].realised, chain.size()); ++i) {
      const uint32_t e = source.relations().find(chain[i]);
      if (e == kNone || !over(e)) continue;
      end = i + 1;
      shared += without.contains(e);
    }
    for (size_t i = 0; i < chain.size(); ++i) {
      const uint32_t e = source.relations().find(chain[i]);
      if (e == kNone || !arrived_before(source.event(e), cut)) continue;
      // In their order here, two elements of the new chain could be against its order.
      if (without.contains(e) && (shared > 1 || !over(e))) continue;
      if (i < end) {
        passed[k].push_back(e);
      } else if ((source.event(e).flags & kEventReleased) != 0 && over(e) &&
                 (released == kNone || source.event(e).done < source.event(released).done)) {
        if (released != kNone) others.push_back(released);
        released = e;
      } else {
        others.push_back(e);
      }
    }
    if (released != kNone) out.held.push_back({source.relations().exact(released), Element{}});
    for (const uint32_t e : others)
      out.held.push_back({source.relations().exact(e),
                          released != kNone ? source.relations().exact(released) : until});
  }
  for (const uint32_t e : merged(passed)) out.chain.push_back(source.relations().exact(e));
  if (out.chain.size() < 2) out.chain.clear();
  return out;
}

// Drops preferences for choices after the cut: they belong to another search.
void drop_later_preferences(const OrderSource& source, uint32_t cut, std::vector<SelectPreference>& selects) {
  std::erase_if(selects, [&](const SelectPreference& p) {
    const std::vector<Event>& events = source.run().events;
    return std::none_of(events.begin(), events.end(), [&](const Event& e) {
      return e.site == p.site && e.kind == p.kind && arrived_before(e, cut) &&
             (p.instance == 0 || p.instance == e.occurrence) &&
             (p.thread == kAnyThread || source.run().threads[e.thread].id == p.thread);
    });
  });
}

SelectPreference preference(const OrderSource& source, const OrderChild& child) {
  const Event& e = source.event(child.select);
  SelectPreference p{};
  p.thread = source.run().threads[e.thread].id;
  p.site = e.site;
  p.instance = e.occurrence;
  p.choice = child.choice;
  p.kind = e.kind;
  return p;
}

uint64_t choice_key(uint64_t key, const SelectPreference& p) {
  return mix(mix(key, p.site ^ p.thread), static_cast<uint64_t>(p.instance) << 32 | static_cast<uint32_t>(p.choice));
}

}  // namespace

void add_select_variants(const OrderSource& source, const EventChain& chain, std::vector<OrderChild>& out) {
  for (uint32_t e : chain) {
    if (partner_in_chain(source, chain, e)) continue;
    for (const SelectCase& c : source.cases(e)) {
      const bool otherwise = c.index == kDefaultCase;
      if (otherwise ? source.event(e).choice == kDefaultChoice : source.event(e).choice == c.index) continue;
      out.push_back({chain, e, otherwise ? -1 : static_cast<int32_t>(c.index)});
    }
  }
}

Schedule child_schedule(const OrderSource& source, const OrderChild& child, bool replay, Rng& rng) {
  Schedule s = source.schedule();
  int id = 0;
  if (replay) {
    const uint32_t cut = cut_time(source, child);
    s.elements.clear();
    drop_later_preferences(source, cut, s.selects);
    const Before before = chains_before(source, cut, child.chain);
    if (!before.chain.empty()) id += put_chain(s, id, before.chain);
    for (const Delay& d : before.held) {
      if (s.delays.size() < kMaxDelays) s.delays.push_back(d);
    }
  } else {
    s.elements.clear();
    s.reads_from.clear();
    s.selects.clear();
    s.delays.clear();
    s.seed = rng.next();
  }
  Chain own;
  for (uint32_t e : child.chain) own.push_back(source.relations().exact(e));
  put_chain(s, id, own);
  if (child.select != kNone) {
    s.selects.insert(s.selects.begin(), preference(source, child));  // the first that fits decides
  }
  make_constraints_visible(s);
  return s;
}

uint64_t chain_key(const OrderSource& source, const OrderChild& child) {
  uint64_t key = 1;
  for (uint32_t e : child.chain) key = element_key(key, source.relations().exact(e));
  if (child.select != kNone) key = choice_key(key, preference(source, child));
  return key | 1;
}

uint64_t chain_key(const Schedule& schedule) {
  uint8_t last = 0;
  for (const Element& e : schedule.elements) last = std::max(last, e.chain);
  Chain own = get_chain(schedule, last);
  if (own.empty()) return 0;
  uint64_t key = 1;
  for (Element& e : own) {
    e.chain = 0;
    key = element_key(key, e);
  }
  if (!schedule.selects.empty()) {
    const SelectPreference& p = schedule.selects.front();
    const bool own_choice = std::any_of(own.begin(), own.end(), [&](const Element& e) {
      return e.thread == p.thread && e.site == p.site && e.occurrence == p.instance && e.kind == p.kind;
    });
    if (own_choice) key = choice_key(key, p);
  }
  return key | 1;
}

}  // namespace heddle::mutator
