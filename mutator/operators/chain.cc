#include "mutator/operators/chain.h"

#include <algorithm>

namespace heddle::mutator {

int pick_chain(const Schedule& s, size_t min_length, Rng& rng) {
  if (s.elements.empty()) return -1;
  size_t length[kMaxChains] = {};
  for (const Element& e : s.elements) ++length[e.chain % kMaxChains];
  int ids[kMaxChains];
  uint32_t n = 0;
  for (size_t i = 0; i < kMaxChains; ++i) {
    if (length[i] >= min_length && length[i] > 0) ids[n++] = static_cast<int>(i);
  }
  return n ? ids[rng.below(n)] : -1;
}

int pick_chain(Context& c, size_t min_length) { return pick_chain(c.schedule, min_length, c.rng); }

Chain get_chain(const Schedule& s, int id) {
  Chain chain;
  chain.reserve(s.elements.size());
  for (const Element& e : s.elements) {
    if (e.chain == id) chain.push_back(e);
  }
  return chain;
}

bool put_chain(Schedule& s, int id, const Chain& chain) {
  const auto of_chain = [&](const Element& e) { return e.chain == id; };
  const size_t others =
      s.elements.size() - static_cast<size_t>(std::count_if(s.elements.begin(), s.elements.end(), of_chain));
  if (others + chain.size() > kMaxElements) return false;
  std::erase_if(s.elements, of_chain);
  for (const Element& e : chain) {
    s.elements.push_back(e);
    s.elements.back().chain = static_cast<uint8_t>(id);
  }
  return true;
}

bool add_chain(Context& c, const Chain& chain) {
  if (c.rng.chance(1, 3)) c.schedule.elements.clear();
  bool used[kMaxChains] = {};
  for (const Element& e : c.schedule.elements) used[e.chain % kMaxChains] = true;
  int id = 0;
  while (id < static_cast<int>(kMaxChains) && used[id]) ++id;
  // Many chains at once block each other. So from three on, a new one replaces an old one.
  if (id >= 3) id = static_cast<int>(c.rng.below(static_cast<uint32_t>(id)));
  return put_chain(c.schedule, id, chain);
}

bool valid_chain(const RunRelations& run, const Chain& chain) {
  if (!run) return true;
  uint32_t events[64];
  const size_t n = std::min<size_t>(chain.size(), 64);
  for (size_t i = 0; i < n; ++i) events[i] = run->find(chain[i]);
  return valid_order(*run, {events, n});
}

bool valid_order(const Relations& run, std::span<const uint32_t> events) {
  for (size_t i = 0; i < events.size(); ++i) {
    for (size_t j = i + 1; j < events.size(); ++j) {
      if (events[i] == kNone || events[j] == kNone) continue;
      if (events[i] == events[j] || run.must_precede(events[j], events[i])) return false;
    }
  }
  return true;
}

bool same_op(const Element& a, const Element& b) {
  return a.thread == b.thread && a.site == b.site && a.kind == b.kind && a.occurrence == b.occurrence &&
         a.thread_var == b.thread_var;
}

bool same_passage(const SelectPreference& a, const SelectPreference& b) {
  return a.thread == b.thread && a.site == b.site && a.instance == b.instance && a.kind == b.kind;
}

bool same_delay(const Delay& a, const Delay& b) { return same_op(a.what, b.what) && same_op(a.until, b.until); }

bool contains(const Chain& chain, const Element& element) {
  return std::any_of(chain.begin(), chain.end(), [&](const Element& e) { return same_op(e, element); });
}

bool make_visible(Schedule& s, SiteId site) {
  if (site == kNoSite || s.visible_plain.size() >= kMaxVisiblePlain) return false;
  if (std::find(s.visible_plain.begin(), s.visible_plain.end(), site) != s.visible_plain.end()) return false;
  s.visible_plain.push_back(site);
  return true;
}

bool make_visible(Schedule& s, const RacingPair& race) {
  bool changed = false;
  if (race.first_kind == Kind::none) changed |= make_visible(s, race.first);
  if (race.second_kind == Kind::none) changed |= make_visible(s, race.second);
  return changed;
}

Kind first_kind(const RacingPair& race) {
  if (race.first_kind != Kind::none) return race.first_kind;
  return race.first_writes ? Kind::plain_write : Kind::plain_read;
}

Kind second_kind(const RacingPair& race) {
  if (race.second_kind != Kind::none) return race.second_kind;
  return race.second_writes ? Kind::plain_write : Kind::plain_read;
}

void make_constraints_visible(Schedule& s) {
  const auto see = [&](const Element& e) {
    if (kind_info(e.kind).has(kPlain)) make_visible(s, e.site);
  };
  for (const Element& e : s.elements) see(e);
  for (const ReadsFrom& r : s.reads_from) see(r.read), see(r.write);
  for (const Delay& d : s.delays) see(d.what), see(d.until);
}

}  // namespace heddle::mutator
