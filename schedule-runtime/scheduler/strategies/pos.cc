// POS, partial order sampling (Yuan et al., CAV 2018): each pending op has a random priority, and the highest runs. Ops that conflict with the
// executed op get a new priority = hash(seed, op, number of redraws of this op) (docs/design/strategies.md#pos).
#include <cstring>

#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kThreads = 1 << 14;

struct State {
  uint64_t seed;
  uint32_t threads;  // that have posted an op; one more than the highest index
  // By thread index, of the latest op: it and its object. So a look at each of many threads stays within a few cache lines.
  uint32_t object[kThreads];
  Pending* op[kThreads];
};
constinit State g = {};

void draw(Pending& op) { op.priority = mix(mix(g.seed, op.identity), op.redraws); }

void begin(const ScheduleView& schedule) {
  g.seed = schedule.seed;
  memset(g.object, 0, g.threads * sizeof *g.object);
  g.threads = 0;
}

void posted(Pending& op) {
  draw(op);
  g.object[op.thread_index] = op.object_index;
  g.op[op.thread_index] = &op;
  if (op.thread_index >= g.threads) g.threads = op.thread_index + 1;
}

void redraw(const Pending& op, Pending& other) {
  if (other.thread_index == op.thread_index || !other.conflicts_with(op)) return;
  ++other.redraws;
  draw(other);
}

void executed(const Pending& op, Pending* const* others, uint32_t count) {
  if (op.object_index == 0) return;
  if (count > kManyCandidates) {
    for (uint32_t t = 0; t < g.threads; ++t) {
      if (g.object[t] == op.object_index) redraw(op, *g.op[t]);
    }
    return;
  }
  for (uint32_t i = 0; i < count; ++i) redraw(op, *others[i]);
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext&) {
  return pick_largest(candidates, count, [](const Pending& p) { return p.priority; });
}

}  // namespace

constinit const Strategy kPos = {
    StrategyId::pos, "pos",
    "Each pending operation has a random priority. It is drawn again when a conflicting operation has run.",
    begin, posted, executed, pick};

}  // namespace heddle::rt
