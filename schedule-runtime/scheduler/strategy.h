// A strategy picks among the candidates that enforcement left over. One file each in strategies/; the list is
// registry.cc.
//
// A table of functions rather than a class: strategies live in constinit storage, are switched per execution, and cost one indirect
// call per choice.
#pragma once

#include <cstdint>
#include <span>

#include "schema/codec.h"
#include "scheduler/decisions.h"
#include "scheduler/pending.h"

namespace heddle::rt {

// Among more candidates, a choice does not look at each, if it can do without.
inline constexpr uint32_t kManyCandidates = 16;

struct ChoiceContext {
  DecisionPoint point;
  uint32_t last_thread;  // index of the thread that ran last
  // By thread index: the place of its op among the candidates, -1 if it is not there. Empty: not known. Known where there are many candidates.
  std::span<const int32_t> slots = {};
};

struct Strategy {
  StrategyId id;
  const char* name;
  const char* meaning;  // for docs/reference/modes.md
  // An execution begins. `seed` is the input's.
  void (*begin)(const ScheduleView& schedule);
  // `op` has just become the pending op of its thread. May be null.
  void (*posted)(Pending& op);
  // `op` has been executed; `others` are the pending ops of all live threads. May be null.
  void (*executed)(const Pending& op, Pending* const* others, uint32_t count);
  // Which of `candidates` (count >= 2) goes: an index.
  uint32_t (*pick)(Pending* const* candidates, uint32_t count, const ChoiceContext& context);
};

std::span<const Strategy* const> strategies();
// In how many of 16 seeds this strategy is drawn if the input leaves the strategy open.
uint32_t share_of(const Strategy& strategy);
// Null for an id without a strategy. That includes automatic: use strategy_for for it.
const Strategy* find_strategy(StrategyId id);

// The strategy of an input: `automatic` is drawn by the seed.
const Strategy& strategy_for(const ScheduleView& schedule);

// Whether a thread that is about to create another thread goes before all others. Drawn from the seed if the strategy is drawn, too.
bool creators_first(const ScheduleView& schedule);

// Null if no candidate creates a thread.
inline Pending* first_creator(Pending* const* candidates, uint32_t count) {
  Pending* first = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    if (candidates[i]->kind != Kind::thread_create) continue;
    if (first == nullptr || candidates[i]->thread_index < first->thread_index) first = candidates[i];
  }
  return first;
}

// The candidate with the largest score. Ties go to the lower thread index, so the order of the candidates does not matter.
template <typename Score>
uint32_t pick_largest(Pending* const* candidates, uint32_t count, Score score) {
  uint32_t best = 0;
  uint64_t best_score = score(*candidates[0]);
  for (uint32_t i = 1; i < count; ++i) {
    const uint64_t s = score(*candidates[i]);
    const bool better = (s > best_score) | ((s == best_score) & (candidates[i]->thread_index < candidates[best]->thread_index));
    best = __builtin_unpredictable(better) ? i : best;
    best_score = __builtin_unpredictable(better) ? s : best_score;
  }
  return best;
}

inline constexpr uint32_t kNoCandidate = ~0u;

// Where the thread's op is among the candidates. kNoCandidate: nowhere.
inline uint32_t place_of(uint32_t thread, Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  if (thread < context.slots.size()) return static_cast<uint32_t>(context.slots[thread]);
  for (uint32_t i = 0; i < count; ++i) {
    if (candidates[i]->thread_index == thread) return i;
  }
  return kNoCandidate;
}

// A uniform draw among many: threads are drawn until one is a candidate that fits. kNoCandidate: too few of the threads are.
template <typename Fits>
uint32_t pick_by_trials(const ChoiceContext& context, uint32_t count, Fits fits) {
  constexpr size_t kLeast = 8, kTrials = 8 * kLeast;  // it fails once in 5,000 if just one thread in eight is a candidate
  const size_t threads = context.slots.size();
  if (threads > kLeast * count) return kNoCandidate;
  const uint64_t base = context.point.base();
  for (size_t trial = 0; trial < kTrials; ++trial) {
    const auto drawn = static_cast<size_t>(static_cast<unsigned __int128>(mix(base, trial)) * threads >> 64);
    const int32_t slot = context.slots[drawn];
    if (slot >= 0 && fits(static_cast<uint32_t>(slot))) return static_cast<uint32_t>(slot);
  }
  return kNoCandidate;
}

// One uniform draw.
inline uint32_t pick_evenly(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  if (!context.slots.empty()) {
    const uint32_t drawn = pick_by_trials(context, count, [](uint32_t) { return true; });
    if (drawn != kNoCandidate) return drawn;
  }
  const uint64_t base = context.point.base();
  return pick_largest(candidates, count, [base](const Pending& p) { return mix(base, p.identity); });
}

}  // namespace heddle::rt
