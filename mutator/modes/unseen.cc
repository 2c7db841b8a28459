#include "mutator/modes/unseen.h"

#include <algorithm>
#include <utility>

#include "mutator/knowledge/deliveries.h"
#include "mutator/knowledge/relations.h"
#include "mutator/modes/continuation.h"

namespace heddle::mutator {
namespace {

uint64_t place(const Element& e) { return ObjectGroups::position(e.site, e.kind); }

bool same_place(const Event& a, const Event& b) { return a.site == b.site && a.kind == b.kind; }

// Its order with other operations on signals follows from when the signal is sent.
bool is_delivery(const Event& e) { return e.kind == Kind::signal_handle; }

Element open(const Event& e) {
  Element x{};
  x.site = e.site;
  x.kind = e.kind;
  return x;
}

uint64_t key_of(const Element& first, const Element& second, auto relation) {
  return mix(mix(place(first), place(second)), static_cast<uint64_t>(relation));
}

// A random walk with a pause at this place (walk.h). Then they are all alike, and no order of threads is better.
Schedule crowd_at(Schedule walk, const Element& here) {
  walk.strategy = StrategyId::random_walk;
  walk.delays.push_back({here, Element{}});
  make_constraints_visible(walk);
  return walk;
}

}  // namespace

Unseen::Pair* Unseen::find(const Element& first, const Element& second, Relation relation) {
  const auto at = index_.find(key_of(first, second, relation));
  return at != index_.end() ? &pairs_[at->second] : nullptr;
}

Unseen::Pair* Unseen::find_or_add(const Element& first, const Element& second, Relation relation) {
  if (Pair* const known = find(first, second, relation)) return known;
  if (pairs_.size() >= kMaxPairs) return nullptr;
  index_.emplace(key_of(first, second, relation), static_cast<uint32_t>(pairs_.size()));
  pairs_.push_back({first, second, relation});
  return &pairs_.back();
}

void Unseen::learn(const KnownRun& run, const Schedule&, bool) {
  for (const RacingPair& pair : run.races) {
    races_.add(pair);
    learn_race(pair);
  }
  if (run.events.empty()) return;
  groups_.learn(run);
  const Relations& relations = run.relations();
  learn_cycles(relations);
  for (uint32_t o = 1; o < run.objects.size(); ++o) learn_object(relations, o);
  learn_deliveries(run);
  learn_sources(run);
}

// Accesses to ordinary variables are no events of a run in which they were not visible, such as the first one. But their race is known.
void Unseen::learn_race(const RacingPair& race) {
  Element first{}, second{};
  first.site = race.first;
  first.kind = first_kind(race);
  second.site = race.second;
  second.kind = second_kind(race);
  if (place(first) != place(second)) find_or_add(second, first, Relation::order);
}

void Unseen::learn_cycles(const Relations& run) {
  for (const std::vector<uint32_t>& cycle : run.lock_cycles()) {
    if (known_cycles_.size() >= kMaxCycles) return;
    uint64_t key = 0;
    Chain chain;
    for (const uint32_t e : cycle) {
      chain.push_back(run.exact(e));
      key = mix(key, place(chain.back()));
    }
    if (known_cycles_.insert(key).second) cycles_.push_back(std::move(chain));
  }
}

void Unseen::learn_object(const Relations& run, uint32_t object) {
  // The first operation at each position, of two threads at most: they say which pairs there are.
  places_.clear();
  for (const uint32_t e : run.on_object(object)) {
    if (!run.is_shared(e)) continue;
    const Event& event = run.event(e);
    uint32_t known = 0;
    for (const uint32_t other : places_) {
      const Event& o = run.event(other);
      if (same_place(o, event)) known += o.thread == event.thread ? 2 : 1;
    }
    if (known < 2 && places_.size() < kMaxPlaces) places_.push_back(e);
  }
  learn_crowds(run, object);
  for (size_t i = 0; i < places_.size(); ++i) {
    for (size_t j = 0; j < places_.size(); ++j) {
      const uint32_t a = places_[i], b = places_[j];
      const Event &x = run.event(a), &y = run.event(b);
      if (x.thread == y.thread || !conflicting(x.kind, y.kind) || is_delivery(x) || is_delivery(y)) continue;
      if (reads_value(x.kind) && writes_value(y.kind) && !run.must_precede(a, b) && is_asked_for(x, y)) {
        find_or_add(open(x), open(y), Relation::source);
      }
      const auto releases = [](Kind kind) { return kind_info(kind).has(kDropsLock); };
      if (i > j || same_place(x, y) || releases(x.kind) || releases(y.kind)) continue;
      const bool first = std::none_of(places_.begin(), places_.begin() + static_cast<long>(i),
                                      [&](uint32_t e) { return same_place(run.event(e), y); });
      Pair* const had = find_or_add(open(x), open(y), Relation::order);
      if (had != nullptr && first) had->seen = true;
      if (run.must_precede(a, b)) continue;
      if (Pair* const other = find_or_add(open(y), open(x), Relation::order)) other->waits = run.run().threads[x.thread].id;
    }
  }
}

// Of the positions in places_. Where a lock is given back, nothing is gained.
void Unseen::learn_crowds(const Relations& run, uint32_t object) {
  for (const uint32_t e : places_) {
    const Event& at = run.event(e);
    const Element here = open(at);
    if (kind_info(at.kind).has(kDropsLock) || find(here, here, Relation::crowd) != nullptr) continue;
    threads_.clear();
    for (const uint32_t other : run.on_object(object)) {
      const Event& o = run.event(other);
      if (!same_place(o, at) || std::find(threads_.begin(), threads_.end(), o.thread) != threads_.end()) continue;
      threads_.push_back(o.thread);
      if (threads_.size() == kCrowd) break;
    }
    if (threads_.size() == kCrowd) find_or_add(here, here, Relation::crowd);
  }
}

// Where a handler comes in depends on the order in which the signal is sent and its thread's own operations are made.
void Unseen::learn_deliveries(const KnownRun& run) {
  for (const Delivery& d : deliveries_of(run)) {
    const Event& send = run.events[d.send];
    const uint32_t receiver = run.events[d.handle].thread;
    places_.clear();
    for (uint32_t e = 0; e < run.events.size() && places_.size() < kMaxPlaces; ++e) {
      const Event& own = run.events[e];
      const bool in_handler = e >= d.handle && e < d.interrupted;
      if (own.thread != receiver || in_handler || !is_operation(own) || kind_info(own.kind).has(kThread) || own.kind == Kind::signal_handle) continue;
      if (std::any_of(places_.begin(), places_.end(), [&](uint32_t o) { return same_place(run.events[o], own); })) continue;
      places_.push_back(e);
      Pair* const sent_first = find_or_add(open(send), open(own), Relation::order);
      Pair* const sent_later = find_or_add(open(own), open(send), Relation::order);
      if (Pair* const had = e < d.send ? sent_later : sent_first) had->seen = true;
    }
  }
}

// Of the sources of a lock, one for each position is asked for. Which section comes before another one is an order, too. And if a source
// does not come, all threads wait at the position, whichever it is.
bool Unseen::is_asked_for(const Event& read, const Event& write) {
  if (!kind_info(write.kind).has(kDropsLock)) return true;
  const uint64_t released = place(open(write));
  return lock_sources_.try_emplace(place(open(read)), released).first->second == released;
}

void Unseen::learn_sources(const KnownRun& run) {
  for (const Event& e : run.events) {
    if (!e.finished() || !reads_value(e.kind) || e.partner >= run.events.size()) continue;
    const Event& write = run.events[e.partner];
    if (!writes_value(write.kind)) continue;
    if (Pair* const had = find(open(e), open(write), Relation::source)) had->seen = true;
  }
}

Unseen::Pair* Unseen::draw(Rng& rng) {
  Pair* best = nullptr;
  uint32_t ties = 0;
  std::pair<uint32_t, uint32_t> least;
  for (Pair& pair : pairs_) {
    const std::pair now(pair.tried + (pair.seen ? 1 : 0), groups_.tried(place(pair.first)));
    if (best != nullptr && now > least) continue;
    ties = best == nullptr || now < least ? 1 : ties + 1;
    least = now;
    if (rng.below(ties) == 0) best = &pair;
  }
  return best;
}

bool Unseen::idle() const {
  return cycles_.empty() && std::none_of(pairs_.begin(), pairs_.end(),
                                         [](const Pair& p) { return p.tried < (p.seen ? 1 : kTries); });
}

Schedule Unseen::next(const Schedule& parent, Rng& rng) {
  Schedule s = without_order(parent);
  s.seed = rng.next();
  for (const RacingPair& race : races_.pairs()) make_visible(s, race);
  if (!cycles_.empty()) {
    in_one_order(s);  // the chain makes all switches that a deadlock needs
    put_chain(s, 0, cycles_.back());
    cycles_.pop_back();
    make_constraints_visible(s);
    return s;
  }
  Pair* const pair = draw(rng);
  if (pair != nullptr) {
    ++pair->tried;
    groups_.try_one(place(pair->first));
    if (pair->relation == Relation::crowd) return crowd_at(std::move(s), pair->first);
  }
  continue_in_turns(s, turn_++, kAnyThread, pair != nullptr ? pair->waits : kAnyThread);
  if (pair == nullptr) return s;
  if (pair->relation == Relation::order) {
    put_chain(s, 0, {pair->first, pair->second});
  } else {
    ReadsFrom source{};
    source.read = pair->first;
    source.write = pair->second;
    source.shield = rng.chance(1, 4) ? 1 : 0;
    s.reads_from.push_back(source);
  }
  make_constraints_visible(s);
  return s;
}

}  // namespace heddle::mutator
