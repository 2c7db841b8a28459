// The rules of one cell against the same rules written naively: every earlier access is looked at, and happens-before comes from
// order::RunOrder over the finished trace instead of from clocks under way. The sets of racing pairs must be equal.
#include "races/fast_track.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "order/run_order.h"
#include "races/race_detector.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kThreads = 4, kLocks = 2, kVariables = 3;
// Two share eight bytes. Each is always accessed as a whole.
constexpr struct {
  uintptr_t address;
  size_t size;
} kMemory[kVariables] = {{0x123456000, 4}, {0x123456004, 4}, {0x123456010, 8}};
constexpr uint32_t kFirstLock = 1, kFirstAtomic = 10, kFirstThread = 100;

using Pairs = std::set<std::pair<SiteId, SiteId>>;

struct Done {
  uint32_t event;  // in the trace
  uint32_t variable;
  bool atomic;
  bool write;
  uint32_t thread;
  uint32_t releases;  // how often its thread had published before
};

struct Program {
  std::vector<Event> trace;  // plain accesses are events without an object here; the detector does not get them as events
  std::vector<ThreadRecord> threads = std::vector<ThreadRecord>(kThreads, {kMainThread, 0, kNoEvent, 0, 0, {}});
  std::vector<Done> accesses;
  uint32_t releases[kThreads] = {};
  int holder[kLocks] = {-1, -1};
  std::map<uint32_t, uint32_t> last_write;  // of each atomic: its event

  Event& add(uint32_t thread, Kind kind, uint32_t object, MemoryOrder order, Outcome outcome) {
    Event e{};
    const auto n = static_cast<uint32_t>(trace.size());
    e.pc_index = sites().index_of(0x1000 + 16 * n);
    e.site = sites()[e.pc_index].id;
    e.thread = thread;
    e.object = object;
    e.kind = kind;
    e.order = order;
    e.outcome = outcome;
    e.req = 2 * n + 1;
    e.done = 2 * n + 2;
    e.partner = kNoEvent;
    trace.push_back(e);
    return trace.back();
  }
  void event(uint32_t thread, Kind kind, uint32_t object, MemoryOrder order = MemoryOrder::seq_cst) {
    race_detector_event(add(thread, kind, object, order, Outcome::none));
    if (kind_info(kind).has(kReleases)) ++releases[thread];
  }
  void atomic(uint32_t thread, Kind kind, uint32_t variable, MemoryOrder order, bool fails) {
    const uint32_t object = kFirstAtomic + variable;
    const bool cas = kind == Kind::atomic_cas;
    Event& e = add(thread, kind, object, order, !cas ? Outcome::none : fails ? Outcome::failure : Outcome::success);
    const auto last = last_write.find(object);
    if (kind != Kind::atomic_store && last != last_write.end()) e.partner = last->second;
    const bool writes = kind != Kind::atomic_load && !(cas && fails);
    const auto index = static_cast<uint32_t>(trace.size() - 1);
    if (writes) last_write[object] = index;
    accesses.push_back({index, variable, true, writes, thread, releases[thread]});
    race_detector_event(e, kNoEvent, kMemory[variable].address, kMemory[variable].size);
    if (kind_info(kind).has(kReleases)) ++releases[thread];
  }
  void plain(uint32_t thread, uint32_t variable, bool write) {
    const Event& e = add(thread, write ? Kind::plain_write : Kind::plain_read, 0, MemoryOrder::plain, Outcome::none);
    accesses.push_back({static_cast<uint32_t>(trace.size() - 1), variable, false, write, thread, releases[thread]});
    const auto [address, size] = kMemory[variable];
    if (!race_detector_knows(thread, address, size, write)) race_detector_access(thread, address, size, write, sites()[e.pc_index].pc);
  }

  void step(uint32_t thread, uint32_t what, uint32_t detail) {
    static constexpr MemoryOrder kOrders[] = {MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acq_rel,
                                              MemoryOrder::seq_cst};
    const MemoryOrder order = kOrders[(detail >> 4) % 5];
    const uint32_t variable = detail % kVariables, lock = detail % kLocks;
    switch (what % 10) {
      case 0:
        if (holder[lock] >= 0) return;
        holder[lock] = static_cast<int>(thread);
        return event(thread, Kind::mutex_lock, kFirstLock + lock);
      case 1:
        if (holder[lock] != static_cast<int>(thread)) return;
        holder[lock] = -1;
        return event(thread, Kind::mutex_unlock, kFirstLock + lock);
      case 2: return atomic(thread, Kind::atomic_store, variable, order, false);
      case 3: return atomic(thread, Kind::atomic_load, variable, order, false);
      case 4: return atomic(thread, Kind::atomic_rmw, variable, order, false);
      case 5: return atomic(thread, Kind::atomic_cas, variable, order, (detail >> 8) % 2 == 0);
      case 6: return event(thread, Kind::atomic_fence, 0, order);
      default: return plain(thread, variable, (detail >> 8) % 3 == 0);
    }
  }
};

bool conflict(const Done& a, const Done& b) { return (a.write || b.write) && !(a.atomic && b.atomic); }

// What is kept of one variable, by the text in fast_track.h.
struct Naive {
  const order::RunOrder& order;
  const std::vector<Event>& trace;
  std::vector<Done> writes, reads, atomics;
  Pairs pairs;

  bool before(const Done& a, const Done& b) const { return order.before(a.event, b.event); }
  static bool same_epoch(const Done& a, const Done& b) { return a.thread == b.thread && a.releases == b.releases; }
  void meet(const std::vector<Done>& earlier, const Done& now) {
    for (const Done& a : earlier) {
      if (!conflict(a, now) || before(a, now)) continue;
      SiteId x = trace[a.event].site, y = trace[now.event].site;
      if (y < x) std::swap(x, y);
      pairs.insert({x, y});
    }
  }
  // In place of what it makes superfluous: a single access that is ordered before it, or else the thread's own last one of that direction.
  void keep(std::vector<Done>& list, const Done& now) {
    if (list.size() == 1 && before(list[0], now) && (now.write || !list[0].write)) list.clear();
    if (list.size() >= 2) std::erase_if(list, [&](const Done& a) { return a.thread == now.thread && a.write == now.write; });
    list.push_back(now);
  }
  void access(const Done& now) {
    // The first access of each sort in an epoch counts.
    std::vector<Done>& own = now.atomic ? atomics : now.write ? writes : reads;
    if (own.size() == 1 && same_epoch(own[0], now) && (own[0].write || !now.write)) return;
    for (const auto* list : {&writes, &reads, &atomics}) meet(*list, now);
    if (now.atomic || !now.write) return keep(own, now);
    if (reads.size() != 1 || reads[0].thread != now.thread) reads.clear();
    atomics.clear();
    writes = {now};
  }
};

RC_GTEST_PROP(FastTrack, EqualsTheNaiveRules, (const std::vector<std::pair<std::pair<uint16_t, uint16_t>, uint16_t>>& steps)) {
  sites().initialise();
  race_detector_initialise();
  race_detector_begin();
  Program program;
  for (uint32_t t = 1; t < kThreads; ++t) {
    program.event(0, Kind::thread_create, kFirstThread + t);
    program.event(t, Kind::thread_start, kFirstThread + t);
  }
  for (const auto& s : steps) program.step(s.first.first % kThreads, s.first.second, s.second);

  std::vector<void*> blocks;
  const order::Memory memory{[](void* list, size_t bytes) {
                               void* const block = std::calloc(1, bytes + 16);
                               static_cast<std::vector<void*>*>(list)->push_back(block);
                               return block;
                             },
                             &blocks};
  RunSummary run{};
  run.events = program.trace.data();
  run.event_count = static_cast<uint32_t>(program.trace.size());
  run.threads = program.threads.data();
  run.thread_count = kThreads;
  const order::RunOrder order(run, order::Relation::strong, memory);

  Pairs expected;
  for (uint32_t v = 0; v < kVariables; ++v) {
    Naive naive{order, program.trace, {}, {}, {}, {}};
    for (const Done& a : program.accesses) {
      if (a.variable == v) naive.access(a);
    }
    expected.merge(naive.pairs);
  }
  for (void* block : blocks) std::free(block);

  uint32_t count = 0;
  const RacingPair* const found = race_detector_pairs(count);
  Pairs reported;
  for (uint32_t i = 0; i < count; ++i) {
    reported.insert(std::minmax(found[i].first, found[i].second));
    RC_ASSERT(found[i].first_kind == Kind::none || found[i].second_kind == Kind::none);
  }
  RC_ASSERT(reported == expected);
  RC_CLASSIFY(!expected.empty(), "with races");
}

RC_GTEST_PROP(AccessSet, AgreesWithAMap, (const std::vector<std::pair<uint16_t, bool>>& steps)) {
  AccessSets sets;
  sets.initialise();
  sets.begin();
  std::map<std::pair<uint32_t, bool>, uint64_t> model;
  const auto access = [](uint32_t thread, uint32_t clock, bool write) {
    return Access::epoch(thread, clock) | Access::what(7, Kind::none, write);
  };
  const uint64_t first = access(0, 1, false), second = access(9, 1, true);
  const uint64_t reference = sets.make(first, second);
  RC_ASSERT(AccessSets::is_set(reference));
  model = {{{0, false}, first}, {{9, true}, second}};
  uint32_t clock = 1;
  for (const auto& [thread, write] : steps) {
    const uint64_t a = access(thread % (1u << Access::kLaneBits), ++clock, write);
    sets.put(sets.of(reference), a);
    model[{Access::lane(a), write}] = a;
  }
  std::multiset<uint64_t> expected, kept;
  for (const auto& [key, a] : model) expected.insert(a);
  const AccessSet& s = sets.of(sets.copy(reference));
  for (uint32_t i = 0; i <= s.mask; ++i) {
    if (s.slots[i] != 0) kept.insert(s.slots[i]);
  }
  RC_ASSERT(kept == expected);
}

}  // namespace
}  // namespace heddle::rt
