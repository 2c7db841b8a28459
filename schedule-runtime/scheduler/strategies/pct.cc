// PCT (Burckhardt et al., ASPLOS 2010): threads have random priorities, and the highest enabled one runs. At d-1 change points the running thread drops
// below all others.
//
// Change points come from a hash, not from a step counter: an op is a change point with probability (d-1)/k. So an edit elsewhere does not
// move them (docs/design/strategies.md#pct). The engine does not offer threads that yield.
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
  uint32_t change_chance;   // of 2^32
  uint64_t next_low;        // decreasing priorities, below all initial ones
  uint32_t epoch;
  struct { uint32_t epoch; uint64_t priority; } dropped[kThreads];
};
constinit State g = {};

void begin(const ScheduleView& schedule) {
  const uint64_t depth = schedule.pct_depth != 0 ? schedule.pct_depth : kDefaultDepth;
  const uint64_t steps = schedule.step_estimate != 0 ? schedule.step_estimate : kDefaultSteps;
  const uint64_t chance = ((depth - 1) << 32) / steps;
  g.seed = schedule.seed;
  g.change_chance = chance > 0xFFFFFFFFull ? 0xFFFFFFFFu : static_cast<uint32_t>(chance);
  g.next_low = 1ull << 32;
  ++g.epoch;
}

void posted(Pending& op) {
  auto& dropped = g.dropped[op.thread_index % kThreads];
  if (mix(g.seed, mix(kChangeSubject, op.identity)) >> 32 < g.change_chance) {
    dropped = {g.epoch, g.next_low--};
  }
  op.priority = dropped.epoch == g.epoch ? dropped.priority
                                         : mix(g.seed, mix(kPrioritySubject, op.thread)) | 1ull << 63;
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext&) {
  return pick_largest(candidates, count, [](const Pending& p) { return p.priority; });
}

}  // namespace

constinit const Strategy kPct = {
    StrategyId::pct, "pct",
    "Each thread has a random priority. At `pct-depth` - 1 random points of `step-estimate` steps the running thread gets the lowest one.",
    begin, posted, nullptr, pick};

}  // namespace heddle::rt
