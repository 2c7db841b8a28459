// Sticky random: stay on the thread with some probability, else random walk. A uniform choice at every atomic keeps data structures nearly
// empty (docs/design/strategies.md#what-the-field-has-learned). Longer runs of one thread reach deep states.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constinit uint32_t g_stay = 0;  // of 2^16

constexpr uint64_t kStaySubject = 0x5711CC1;

void begin(const ScheduleView& schedule) {
  // Without a given stickiness, it is drawn from the seed, between 1/2 and 31/32: no single value suits all programs.
  const uint32_t stickiness = schedule.stickiness != 0
                                  ? schedule.stickiness
                                  : 256 - (128 >> (mix(schedule.seed, kStaySubject) % 5));
  g_stay = stickiness << 8;
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  const uint32_t same = place_of(context.last_thread, candidates, count, context);
  if (same != kNoCandidate && context.point.chance(kStaySubject, g_stay)) return same;
  return pick_evenly(candidates, count, context);
}

}  // namespace

constinit const Strategy kSticky = {
    StrategyId::sticky, "sticky",
    "The running thread goes on with a fixed probability: `stickiness` of 256 or, if that is 0, between 1/2 and 31/32 by seed. Else any thread goes.",
    begin, nullptr, nullptr, pick};

}  // namespace heddle::rt
