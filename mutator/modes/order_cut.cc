#include "mutator/modes/order_cut.h"

#include <algorithm>

#include "mutator/modes/order_walk.h"

namespace heddle::mutator {

namespace {
constexpr uint32_t kSteps = 4096;  // of a walk; what takes longer is unknown
constexpr int kRepairs = 3;
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

}  // namespace heddle::mutator
