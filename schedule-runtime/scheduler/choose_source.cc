#include "scheduler/choose_source.h"

#include <bit>

namespace heddle::rt {
namespace {

// The subjects of draws are salted. The operation's bare identity has just won the choice of the thread, so its hash would be large each time.
constexpr uint64_t kSourceSalt = 0x50C3;
constexpr uint64_t kBiasSalt = 0xB1A5;
// A preference for every instance holds so often in one thread: as in engine/decisions.cc, a loop that waits for another value must end.
constexpr uint32_t kMostOfEvery = 256;

}  // namespace

void ChooseSource::begin(const ScheduleView& schedule) {
  selects_ = schedule.selects;
  constexpr Bias kBySeed[8] = {Bias::even, Bias::even, Bias::even, Bias::even, Bias::newer, Bias::newer, Bias::newest, Bias::newest};
  newest_ = schedule.strategy == StrategyId::nonpreemptive;
  bias_ = schedule.strategy == StrategyId::automatic ? kBySeed[mix(schedule.seed, kBiasSalt) % 8] : Bias::even;
}

uint32_t ChooseSource::pick(const Pending& p, uint32_t count, const DecisionPoint& point, bool& preferred) const {
  preferred = false;
  for (const SelectPreference& s : selects_) {
    if (s.site != p.site || s.kind != p.kind || p.kind == Kind::atomic_cas || (s.thread != kAnyThread && s.thread != p.thread)) continue;
    if (s.instance == 0 ? p.occurrence > kMostOfEvery : p.occurrence != s.instance) continue;
    preferred = true;
    return s.choice < 0 ? 0 : static_cast<uint32_t>(s.choice) % count;
  }
  if (newest_) return 0;
  const uint64_t draw = point.draw(mix(p.identity, kSourceSalt));
  switch (bias_) {
    case Bias::even: break;
    case Bias::newer: return static_cast<uint32_t>(std::countr_zero(draw | 1ull << 63)) % count;
    case Bias::newest:
      if ((draw & 15) != 0) return 0;
      break;
  }
  return static_cast<uint32_t>((draw >> 8) % count);
}

}  // namespace heddle::rt
