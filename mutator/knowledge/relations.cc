#include "mutator/knowledge/relations.h"

#include <algorithm>

namespace heddle::mutator {

namespace {
constexpr size_t kFew = 16;  // for fewer events, grouping by site costs more than it saves
}  // namespace

void Relations::build() {
  const KnownRun& run = run_;
  shared_.clear();
  by_site_.clear();
  site_begin_.clear();
  cycles_.clear();
  cycles_known_ = has_plain_ = thread_edges_known_ = false;
  rel1_pairs_ = 0;
  rel2_pairs_ = 0;
  for (auto& order : orders_) order.reset();
  memory_.reset();
  const uint32_t n = static_cast<uint32_t>(run.events.size());
  places_.assign(n, {kNone, kNone, kNone, false});
  last_.assign(run.threads.size(), kNone);
  object_begin_.assign(run.objects.size() + 2, 0);
  listed_.clear();
  for (uint32_t i = 0; i < n; ++i) {
    const Event& e = run.events[i];
    const KindInfo& kind = kind_info(e.kind);
    if (!is_operation(e)) continue;
    uint32_t& l = last_[e.thread];
    if (l != kNone) {
      places_[l].next = i;
      places_[i].previous = l;
      ++rel1_pairs_;
    }
    l = i;
    if (e.object == 0 || kind.has(kThread)) continue;
    ++object_begin_[e.object + 1];
    listed_.push_back(i);
  }
  for (size_t o = 1; o < object_begin_.size(); ++o) object_begin_[o] += object_begin_[o - 1];
  by_object_.resize(object_begin_.back());
  fill_ = object_begin_;
  for (const uint32_t i : listed_) {
    const uint32_t at = fill_[run.events[i].object]++;
    places_[i].position = at;
    by_object_[at] = i;
  }
  for (uint32_t o = 1; o < run.objects.size(); ++o) {
    const auto list = on_object(o);
    if (list.empty()) continue;
    const uint32_t first = run.events[list[0]].thread;
    size_t others = 0;
    for (uint32_t i : list) others += run.events[i].thread != first;
    if (others == 0) continue;
    for (uint32_t i : list) places_[i].shared = true;
    rel2_pairs_ += static_cast<double>(others) * static_cast<double>(list.size() - others);
  }
  for (const uint32_t i : listed_) {
    if (!places_[i].shared) continue;
    shared_.push_back(i);
    has_plain_ |= kind_info(run.events[i].kind).has(kPlain);
  }
}

void Relations::group_by_site() const {
  by_site_ = shared_;
  std::sort(by_site_.begin(), by_site_.end(), [&](uint32_t a, uint32_t b) {
    return event(a).site != event(b).site ? event(a).site < event(b).site : a < b;
  });
  for (uint32_t i = 0; i < by_site_.size(); ++i) {
    if (i == 0 || event(by_site_[i]).site != event(by_site_[i - 1]).site) site_begin_.push_back(i);
  }
  site_begin_.push_back(static_cast<uint32_t>(by_site_.size()));
}

uint32_t Relations::draw_shared(Rng& rng) const {
  if (shared_.size() < kFew) return shared_[rng.below(static_cast<uint32_t>(shared_.size()))];
  if (by_site_.empty()) group_by_site();
  const uint32_t site = rng.below(static_cast<uint32_t>(site_begin_.size() - 1));
  return by_site_[site_begin_[site] + rng.below(site_begin_[site + 1] - site_begin_[site])];
}

uint32_t Relations::partner(uint32_t e, Rng& rng) const {
  if (places_[e].position == kNone) return kNone;
  const auto list = on_object(event(e).object);
  const uint32_t at = places_[e].position - object_begin_[event(e).object];
  const uint32_t thread = event(e).thread;
  if (shared_.size() >= kFew && is_shared(e) && rng.chance(1, 2)) {
    for (int tries = 0; tries < 8; ++tries) {
      const uint32_t p = draw_shared(rng);
      if (event(p).object == event(e).object && event(p).thread != thread) return p;
    }
  }
  if (rng.chance(1, 4)) {  // any
    for (int tries = 0; tries < 4; ++tries) {
      const uint32_t p = list[rng.below(static_cast<uint32_t>(list.size()))];
      if (event(p).thread != thread) return p;
    }
  }
  // Goes outwards from e. Takes each candidate of another thread with probability 1/2.
  uint32_t fallback = kNone;
  const bool later_first = rng.chance(1, 2);
  for (uint32_t d = 1; d < list.size(); ++d) {
    for (int side = 0; side < 2; ++side) {
      const bool later = (side == 0) == later_first;
      if (later ? at + d >= list.size() : d > at) continue;
      const uint32_t p = list[later ? at + d : at - d];
      if (event(p).thread == thread) continue;
      if (rng.chance(1, 2)) return p;
      fallback = p;
    }
    if (d > 64 && fallback != kNone) break;
  }
  return fallback;
}

uint32_t Relations::find_any(const Element& element) const {
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    const Event& e = run_.events[i];
    if (e.site == element.site && e.kind == element.kind &&
        (element.occurrence == 0 || e.occurrence == element.occurrence) &&
        (element.thread == kAnyThread || run_.threads[e.thread].id == element.thread)) {
      return i;
    }
  }
  return kNone;
}

uint32_t Relations::find(const Element& element) const {
  if (element.thread == kAnyThread || element.occurrence == 0) return kNone;
  return find_any(element);
}

Element Relations::exact(uint32_t i) const {
  const Event& e = event(i);
  Element x{};
  x.thread = run_.threads[e.thread].id;
  x.site = e.site;
  x.occurrence = e.occurrence;
  x.kind = e.kind;
  return x;
}

Element Relations::open(uint32_t i) const {
  Element x{};
  x.site = event(i).site;
  x.kind = event(i).kind;
  return x;
}

bool Relations::must_precede(uint32_t a, uint32_t b) const {
  if (event(a).thread == event(b).thread) {  // program order needs no clocks
    const Event &x = event(a), &y = event(b);
    return x.commit_time() != y.commit_time() ? x.commit_time() < y.commit_time() : a < b;
  }
  if (a > b || !event(a).finished()) return false;  // edges lead forwards
  if (!thread_edges_known_) find_thread_edges();
  reached_.assign(run_.threads.size(), kNone);
  reached_[event(a).thread] = a;
  for (const ThreadEdge& e : thread_edges_) {
    if (e.event >= b) break;
    if (e.event < a) continue;
    const uint32_t here = event(e.event).thread;
    if (e.created) {
      if (reached_[here] <= e.event) reached_[e.thread] = e.event;
    } else if (reached_[e.thread] != kNone && e.event < reached_[here]) {
      reached_[here] = e.event;
    }
  }
  return reached_[event(b).thread] < b;
}

void Relations::find_thread_edges() const {
  thread_edges_known_ = true;
  thread_edges_.clear();
  // The object of a thread is used by its end, which comes before the join.
  auto& ended = reached_;
  ended.assign(run_.objects.size(), kNone);
  for (uint32_t t = 0; t < run_.threads.size(); ++t) {
    const uint32_t create = run_.threads[t].create_event;
    // In a run that was cut, the last events have other indices.
    const size_t known = run_.cut ? KnownRun::kMaxEvents : run_.events.size();
    if (create < known && event(create).thread != t) thread_edges_.push_back({create, t, true});
  }
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    const Event& e = event(i);
    if (e.object == 0) continue;
    if (e.kind == Kind::thread_exit) ended[e.object] = e.thread;
    const bool joins = e.kind == Kind::thread_join && e.finished() && !in_vain(e.outcome);
    if (joins && ended[e.object] != kNone) thread_edges_.push_back({i, ended[e.object], false});
  }
  std::sort(thread_edges_.begin(), thread_edges_.end(), [](const ThreadEdge& x, const ThreadEdge& y) { return x.event < y.event; });
}

const order::RunOrder& Relations::order(order::Relation relation) const {
  auto& made = orders_[static_cast<size_t>(relation)];
  if (!made) made.emplace(run_.summary(), relation, memory_.memory());
  return *made;
}

namespace {
// A thread that holds `outer` and tries to take `inner`.
struct Nesting {
  uint32_t thread, outer_object, inner_object, outer_event, inner_event;
};
}  // namespace

const std::vector<std::vector<uint32_t>>& Relations::lock_cycles() const {
  if (!cycles_known_) find_lock_cycles();
  cycles_known_ = true;
  return cycles_;
}

// The event that a schedule can hold back: an annotated lock is announced after the operation that took it.
uint32_t Relations::operation_of(uint32_t i) const {
  for (uint32_t k = i; kind_info(event(i).kind).has(kPassive) && k-- > 0;) {
    if (event(k).thread == event(i).thread && !kind_info(event(k).kind).has(kPassive)) return k;
  }
  return i;
}

void Relations::find_lock_cycles() const {
  std::vector<Nesting> nestings;
  std::vector<std::vector<uint32_t>> held(run_.threads.size());
  for (uint32_t i = 0; i < run_.events.size() && nestings.size() < 128; ++i) {
    const Event& e = event(i);
    auto& mine = held[e.thread];
    const KindInfo& k = kind_info(e.kind);
    auto drop = [&](uint32_t object) {
      std::erase_if(mine, [&](uint32_t h) { return event(h).object == object; });
    };
    if (e.flags & kEventRecursive) continue;
    if (k.has(kHoldsLock) && e.object != 0) {
      for (uint32_t h : mine) {
        if (event(h).object == e.object) continue;
        const bool known = std::any_of(nestings.begin(), nestings.end(), [&](const Nesting& x) {
          return x.thread == e.thread && x.outer_object == event(h).object && x.inner_object == e.object;
        });
        if (!known) nestings.push_back({e.thread, event(h).object, e.object, h, i});
      }
      if (e.finished() && !in_vain(e.outcome)) mine.push_back(i);
    } else if (k.has(kDropsLock)) {
      drop(e.object);
    } else if (e.kind == Kind::cond_wait) {
      drop(e.choice);
    }
  }
  // Depth-first search over nestings of different threads. Each takes the lock that the next one holds.
  std::vector<uint32_t> path;
  uint32_t budget = 4096;
  auto walk = [&](auto&& self) -> void {
    if (budget == 0 || cycles_.size() >= 16) return;
    --budget;
    const Nesting& tail = nestings[path.back()];
    if (path.size() >= 2 && tail.inner_object == nestings[path[0]].outer_object) {
      std::vector<uint32_t> chain;
      for (uint32_t p : path) chain.push_back(operation_of(nestings[p].outer_event));
      for (uint32_t p : path) chain.push_back(operation_of(nestings[p].inner_event));
      cycles_.push_back(chain);
      return;
    }
    if (path.size() >= 8) return;
    for (uint32_t i = path[0] + 1; i < nestings.size(); ++i) {
      if (nestings[i].outer_object != tail.inner_object) continue;
      if (std::any_of(path.begin(), path.end(),
                      [&](uint32_t p) { return nestings[p].thread == nestings[i].thread; })) {
        continue;
      }
      path.push_back(i);
      self(self);
      path.pop_back();
    }
  };
  for (uint32_t i = 0; i < nestings.size(); ++i) {
    path = {i};
    walk(walk);
  }
}

}  // namespace heddle::mutator
