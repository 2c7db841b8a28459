// PCT (Burckhardt et al., ASPLOS 2010): threads have random priorities, and the highest enabled one runs. At d-1 change points the running thread drops
// below all others.
//
// Change points come from a hash, not from a step counter: an op is a change point with probability (d-1)/k. So an edit elsewhere does not
// move them (docs/design/strategies.md#pct). The engine does not offer threads that yield. The input can give a thread its first priority.
#include <algorithm>
#include <cstring>
#include <span>

#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kPrioritySubject = 0x9C7F;
constexpr uint64_t kChangeSubject = 0x9C7C;
constexpr uint32_t kDefaultDepth = 3;
constexpr uint32_t kDefaultSteps = 64;
constexpr uint32_t kThreads = 1 << 14;

struct State {
  uint64_t seed;
  std::span<const ThreadWeight> weights;
  uint32_t change_chance;   // of 2^32
  uint64_t next_low;        // decreasing priorities, below all initial ones
  uint32_t epoch;
  struct { uint32_t epoch; uint64_t priority; } threads[kThreads];  // of this epoch: the thread is in `order`
  // All threads, the highest priority first. Ties go to the lower index.
  uint32_t order[kThreads];
  uint32_t count;
};
constinit State g = {};

void begin(const ScheduleView& schedule) {
  const uint64_t depth = schedule.pct_depth != 0 ? schedule.pct_depth : kDefaultDepth;
  const uint64_t steps = schedule.step_estimate != 0 ? schedule.step_estimate : kDefaultSteps;
  const uint64_t chance = ((depth - 1) << 32) / steps;
  g.seed = schedule.seed;
  g.weights = schedule.weights;
  g.change_chance = chance > 0xFFFFFFFFull ? 0xFFFFFFFFu : static_cast<uint32_t>(chance);
  g.next_low = 1ull << 32;
  g.count = 0;
  ++g.epoch;
}

uint32_t place_in_order(uint32_t thread) {
  const auto before = [&](uint32_t a, uint32_t b) {
    const uint64_t x = g.threads[a].priority, y = g.threads[b].priority;
    return x != y ? x > y : a < b;
  };
  return static_cast<uint32_t>(std::lower_bound(g.order, g.order + g.count, thread, before) - g.order);
}

void insert(uint32_t thread) {
  uint32_t* const at = g.order + place_in_order(thread);
  memmove(at + 1, at, static_cast<size_t>(g.order + g.count - at) * sizeof *at);
  *at = thread;
  ++g.count;
}

void remove(uint32_t thread) {
  uint32_t* const at = g.order + place_in_order(thread);
  --g.count;
  memmove(at, at + 1, static_cast<size_t>(g.order + g.count - at) * sizeof *at);
}

// Above all of those that threads drop to.
uint64_t first_priority(ThreadId thread) {
  const uint64_t drawn = mix(g.seed, mix(kPrioritySubject, thread)) | 1ull << 63;
  for (const ThreadWeight& w : g.weights) {
    if (w.thread == thread) return 1ull << 63 | static_cast<uint64_t>(w.count) << 31 | (drawn & 0x7FFFFFFF);
  }
  return drawn;
}

void posted(Pending& op) {
  auto& thread = g.threads[op.thread_index];
  const bool known = thread.epoch == g.epoch;
  const bool drops = mix(g.seed, mix(kChangeSubject, op.identity)) >> 32 < g.change_chance;
  if (!known || drops) {
    if (known) remove(op.thread_index);
    thread = {g.epoch, drops ? g.next_low-- : first_priority(op.thread)};
    insert(op.thread_index);
  }
  op.priority = thread.priority;
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  if (!context.slots.empty()) {
    for (uint32_t i = 0; i < g.count; ++i) {
      const int32_t slot = context.slots[g.order[i]];
      if (slot >= 0) return static_cast<uint32_t>(slot);
    }
  }
  return pick_largest(candidates, count, [](const Pending& p) { return p.priority; });
}

}  // namespace

constinit const Strategy kPct = {
    StrategyId::pct, "pct",
    "Each thread has a random priority, or its `weight`. At `pct-depth` - 1 random points of `step-estimate` steps the running thread gets the lowest one.",
    begin, posted, nullptr, pick};

}  // namespace heddle::rt
