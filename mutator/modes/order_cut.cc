#include "mutator/modes/order_cut.h"

#include <algorithm>
#include <span>

#include "mutator/knowledge/foresight.h"
#include "mutator/knowledge/order_walk.h"

namespace heddle::mutator {

namespace {
constexpr uint32_t kSteps = 4096;  // of a walk; what takes longer is unknown
constexpr int kRepairs = 3;
constexpr int kWalks = 8;

// How many of the chain's elements come in each of a few walks from that time on.
size_t foreseen(const OrderSource& source, const BranchBook& branches, const EventChain& chain,
                uint32_t divert, uint32_t time, Rng& rng) {
  Foresight foresight(source.run(), time, &branches);
  foresight.divert(divert);
  foresight.add(std::span<const uint32_t>(chain.begin(), chain.size()));
  for (int i = 0; i < kWalks && foresight.realised(0) >= 2; ++i) foresight.walk(rng);
  return foresight.realised(0);
}
}  // namespace

bool respects_must_order(const OrderSource& source, const EventChain& chain) {
  for (size_t i = 0; i < chain.size(); ++i) {
    for (size_t j = i + 1; j < chain.size(); ++j) {
      if (source.relations().must_precede(chain[j], chain[i])) return false;
    }
  }
  return true;
}

uint32_t cut_time(const OrderSource& source, const EventChain& chain) {
  uint32_t cut = kNone, latest = 0;
  bool unfinished = false;  // among those before
  for (uint32_t e : chain) {
    const Event& event = source.event(e);
    const uint32_t time = event.commit_time();
    if (unfinished || time < latest) cut = std::min(cut, time);
    latest = std::max(latest, time);
    unfinished |= !event.finished();
  }
  return cut;
}

uint32_t cut_time(const OrderSource& source, const OrderChild& child) {
  const uint32_t cut = cut_time(source, child.chain);
  return child.select == kNone ? cut : std::min(cut, source.event(child.select).req);
}

CutVerdict check_cut(const OrderSource& source, const EventChain& chain) {
  const uint32_t cut = cut_time(source, chain);
  if (cut == kNone) return {};
  OrderWalk walk(source.run(), cut);
  for (uint32_t e : chain) walk.hold(e);
  uint32_t steps = kSteps;
  for (size_t i = 0; i < chain.size(); ++i) {
    walk.release(chain[i]);
    while (!walk.done(chain[i])) {
      if (steps-- == 0 || walk.lost()) return {};
      if (walk.advance(source.thread(chain[i]))) continue;
      if (!walk.anyone_held()) return {};
      const CutVerdict verdict{false, walk.acquisition_in_the_way(source.thread(chain[i])), i};
      // If it never comes although all threads may go, that is a deadlock again: the element counts as done when it is parked.
      for (uint32_t e : chain) walk.release(e);
      while (!walk.done(chain[i])) {
        if (steps-- == 0 || walk.lost() || !walk.advance(source.thread(chain[i]))) return {};
      }
      return verdict;
    }
  }
  return {};
}

bool make_feasible(const OrderSource& source, EventChain& chain) {
  EventChain longer = chain;
  for (int repair = 0; repair < kRepairs; ++repair) {
    const CutVerdict verdict = check_cut(source, longer);
    if (verdict.feasible) {
      chain = std::move(longer);
      return true;
    }
    const uint32_t lock = verdict.acquisition;
    if (lock == kNone || !source.eligible(lock) || longer.contains(lock) || longer.full()) return false;
    longer.insert(verdict.position + 1, lock);
    if (!respects_must_order(source, longer)) return false;
  }
  return false;
}

bool make_realisable(const OrderSource& source, const BranchBook& branches, OrderChild& child,
                     bool& replay, Rng& rng) {
  EventChain& chain = child.chain;
  OrderChild longer = child;
  const bool feasible = make_feasible(source, longer.chain);
  if (feasible && cut_time(source, longer) != kNone) {
    longer.chain.keep_first(
        foreseen(source, branches, longer.chain, child.select, cut_time(source, longer), rng));
    // The shorter chain holds something back, or it would only be the run again.
    if (longer.chain.size() >= 2 && (child.select != kNone || cut_time(source, longer) != kNone)) {
      chain = longer.chain;
      replay = true;
      return true;
    }
  }
  replay = false;
  chain.keep_first(foreseen(source, branches, chain, child.select, 0, rng));
  return chain.size() >= 2;
}

}  // namespace heddle::mutator
