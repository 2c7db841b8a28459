// Places: each position in the code has a random priority, as each thread has in PCT. So threads that run the same code gather at a position of low
// priority, and one of them goes on when no other thread can do anything else. With N such threads, an order of the positions is one of far fewer than an
// order of all their operations is. That finds what needs many threads between the same two lines.
//
// At one position, the thread that ran last goes on. Otherwise every thread there is equally likely.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constinit uint64_t g_seed = 0;
constexpr uint64_t kPlaceSubject = 0x91A;

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  const uint64_t seed = mix(g_seed, kPlaceSubject), base = context.point.base();
  // From the highest bit: the position, whether the thread ran last, a draw.
  constexpr int kDrawBits = 31;
  return pick_largest(candidates, count, [&](const Pending& p) {
    const uint64_t place = mix(seed, mix(p.site, static_cast<uint8_t>(p.kind))) >> 32;
    const uint64_t ran = p.thread_index == context.last_thread;
    return place << (kDrawBits + 1) | ran << kDrawBits | mix(base, p.identity) >> (64 - kDrawBits);
  });
}

}  // namespace

constinit const Strategy kPlaces = {
    StrategyId::places, "places",
    "Each position in the code has a random priority. Threads gather where it is low.",
    [](const ScheduleView& schedule) { g_seed = schedule.seed; }, nullptr, nullptr, pick};

}  // namespace heddle::rt
