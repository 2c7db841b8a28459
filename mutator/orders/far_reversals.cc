#include "mutator/orders/far_reversals.h"

#include <algorithm>
#include <tuple>

#include "mutator/knowledge/order_walk.h"
#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

constexpr uint32_t kFarthest = 16;  // conflicting operations of the first one's thread between the two
constexpr size_t kMost = 64;        // of a run
constexpr int kLocks = 3;           // tries of a pair, each with another lock out of the way

struct Pair {
  uint32_t first, second, between;
};

bool is_candidate(const Event& e) {
  const KindInfo& kind = kind_info(e.kind);
  return is_operation(e) && !kind.has(kThread) && !kind.has(kDropsLock) && e.kind != Kind::signal_handle && (e.flags & kEventRecursive) == 0;
}

// Those that could be attempted in the other order, if locks were taken in another order.
std::vector<Pair> pairs_of(const Relations& relations, const RunReversals& near, FarPairs which) {
  const KnownRun& run = relations.run();
  std::vector<Pair> pairs;
  if (which == FarPairs::plain && !relations.has_plain()) return pairs;
  std::vector<uint32_t> met(run.threads.size());
  for (uint32_t o = 1; o < run.objects.size(); ++o) {
    const auto list = relations.on_object(o);
    for (size_t at = 1; at < list.size(); ++at) {
      const uint32_t j = list[at];
      const Event& second = relations.event(j);
      if (!relations.is_shared(j) || !is_candidate(second) || (which == FarPairs::plain && !kind_info(second.kind).has(kPlain))) continue;
      std::fill(met.begin(), met.end(), 0);
      for (size_t before = at; before-- > 0;) {
        const uint32_t i = list[before];
        const Event& first = relations.event(i);
        if (first.thread == second.thread || !first.finished() || !is_candidate(first) || !conflicting(first.kind, second.kind)) continue;
        const uint32_t between = met[first.thread]++;
        if (between >= kFarthest) continue;
        const bool is_near = std::any_of(near.reversals().begin(), near.reversals().end(),
                                         [&](const RunReversals::Reversal& r) { return r.first == i && r.second == j; });
        if (!is_near && relations.order(order::Relation::weak).orderable(i, j)) pairs.push_back({i, j, between});
      }
    }
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return std::tie(a.between, a.second, a.first) < std::tie(b.between, b.second, b.first); });
  return pairs;
}

// The run up to `held`, which waits; then the thread of `second` goes on to it, and others only where it needs them. Empty: it cannot, or would
// go another way than in the run. Then `lock` is the operation that took the lock in its way; kNone: something else is.
std::vector<uint32_t> way_to(const KnownRun& run, uint32_t held, uint32_t second, uint32_t& lock) {
  lock = kNone;
  const uint32_t cut = run.events[held].commit_time();
  const uint32_t thread = run.events[second].thread;
  OrderWalk walk(run, cut);
  walk.hold(held);
  std::vector<uint32_t> way;
  for (uint32_t e = 0; e < run.events.size(); ++e) {
    if (run.events[e].finished() && run.events[e].done < cut) way.push_back(e);
  }
  while (!walk.done(second)) {
    if (!walk.advance(thread)) {
      lock = walk.acquisition_in_the_way(thread);
      // It comes, and waits there for others than the one that is held.
      if (lock == kNone && walk.at(thread) == second) return way.push_back(second), way;
      return {};
    }
    if (walk.lost()) return {};
    for (const uint32_t e : walk.went()) way.push_back(e);
  }
  // The other half of a rendezvous comes first.
  if (way.back() != second) std::erase(way, second), way.push_back(second);
  return way;
}

}  // namespace

std::vector<FarReversal> far_reversals(const KnownRun& run, const RunReversals& near, FarPairs which) {
  std::vector<FarReversal> out;
  for (const Pair& pair : pairs_of(run.relations(), near, which)) {
    if (out.size() == kMost) break;
    uint32_t held = pair.first, lock = kNone;
    for (int tries = 0; tries < kLocks && held != kNone; ++tries, held = lock) {
      std::vector<uint32_t> way = way_to(run, held, pair.second, lock);
      if (way.empty()) continue;
      out.push_back({held, pair.second, pair.between, std::move(way)});
      break;
    }
  }
  return out;
}

}  // namespace heddle::mutator
