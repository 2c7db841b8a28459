// Writes first: a thread whose next operation reads nothing goes before all others; else a random walk. Under a weak memory model no source is
// lost by it, because a read may still take an older store, and more sources are there when a read is executed.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  const uint64_t base = context.point.base();
  return pick_largest(candidates, count, [base](const Pending& p) {
    const uint16_t roles = kind_info(p.kind).roles;
    const bool reads = (roles & kReads) != 0 && (roles & kThread) == 0;  // to start or to join a thread leaves no choice
    return mix(base, p.identity) >> 1 | static_cast<uint64_t>(!reads) << 63;
  });
}

}  // namespace

constinit const Strategy kWritesFirst = {
    StrategyId::writes_first, "writes_first",
    "A thread whose next operation reads nothing goes first; among equals, each is equally likely. For weak memory.",
    [](const ScheduleView&) {}, nullptr, nullptr, pick};

}  // namespace heddle::rt
