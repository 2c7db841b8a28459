// SURW, selectively uniform random walk (Zhao et al., ASPLOS 2025; docs/design/strategies.md#surw): concentrate on the ops of one object, and
// interleave those uniformly by weighting each thread with the number of interesting ops it has left.
//
// An intended next thread is drawn by weight. Ops of uninteresting kinds are scheduled by a random walk. If a thread arrives at an
// interesting op and is not the intended thread, it is set aside. If all are set aside, all are released.
//
// The counts come from the input (the mutator writes those of the parent's run). Without them, each thread has the default. The object is
// the one that `surw_site` uses. Without a site, a quarter of all objects is drawn by hash of the seed.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kDefaultWeight = 6;
constexpr uint32_t kThreads = 1 << 14;
constexpr uint64_t kObjectSubject = 0x5023;
constexpr uint32_t kNobody = 0xFFFFFFFFu;

struct State {
  uint64_t seed;
  SiteId site;
  uint32_t object;    // 0: not met yet
  uint32_t intended;  // thread index
  uint32_t epoch;
  ScheduleView schedule;
  struct { uint32_t epoch; uint32_t left; } threads[kThreads];
};
constinit State g = {};

uint32_t& left(const Pending& op) {
  auto& t = g.threads[op.thread_index % kThreads];
  if (t.epoch != g.epoch) {
    t = {g.epoch, kDefaultWeight};
    for (const ThreadWeight& w : g.schedule.weights) {
      if (w.thread == op.thread) t.left = w.count != 0 ? w.count : 1;
    }
  }
  return t.left;
}

bool interesting(const Pending& op) {
  if (op.object_index == 0) return false;
  if (g.site != kNoSite) return op.object_index == g.object;
  return (mix(g.seed, mix(kObjectSubject, op.object_id)) & 3) == 0;
}

void begin(const ScheduleView& schedule) {
  g.seed = schedule.seed;
  g.site = schedule.surw_site;
  g.object = 0;
  g.intended = kNobody;
  g.schedule = schedule;
  ++g.epoch;
}

void posted(Pending& op) {
  if (g.site != kNoSite && g.object == 0 && op.site == g.site) g.object = op.object_index;
}

void executed(const Pending& op, Pending* const*, uint32_t) {
  if (!interesting(op)) return;
  if (uint32_t& n = left(op); n > 1) --n;  // a wrong count must not starve its thread
  g.intended = kNobody;
}

// log2(1 + i / kSteps) with 24 fractional bits, computed by squaring: squaring doubles the logarithm. In integers, because the C library's
// logarithm may differ in the last bit between processors.
constexpr int kStepBits = 8;
constexpr uint32_t kSteps = 1 << kStepBits;
struct Logarithms {
  uint32_t of[kSteps + 1] = {};

  constexpr Logarithms() {
    for (uint32_t i = 0; i < kSteps; ++i) {
      uint64_t mantissa = static_cast<uint64_t>(kSteps + i) << (63 - kStepBits);  // in [1, 2), with 63 fractional bits
      for (int bit = 23; bit >= 0; --bit) {
        const unsigned __int128 square = static_cast<unsigned __int128>(mantissa) * mantissa >> 63;
        const bool carry = (square >> 64) != 0;
        of[i] |= static_cast<uint32_t>(carry) << bit;
        mantissa = static_cast<uint64_t>(square >> (carry ? 1 : 0));
      }
    }
    of[kSteps] = 1 << 24;
  }
};
constexpr Logarithms kLogarithms;

// -log2(h / 2^64) with 24 fractional bits: a draw from an exponential distribution. Values between two table entries are interpolated
// linearly; the error is below 1 / 300,000.
uint64_t exponential(uint64_t h) {
  h |= 1;  // 0 has no logarithm
  const int zeros = __builtin_clzll(h);
  const uint64_t behind = h << zeros << 1;
  const uint64_t step = behind >> (64 - kStepBits);
  const uint64_t within = behind << kStepBits >> 40;  // 24 bits
  const uint32_t from = kLogarithms.of[step];
  const uint64_t fraction = from + ((kLogarithms.of[step + 1] - from) * within >> 24);
  return (static_cast<uint64_t>(zeros + 1) << 24) - fraction;
}

// Each thread has an independent exponential clock whose rate is its weight. A thread's clock rings first with a probability in proportion
// to its weight. Compared with a draw over cumulated weights, the result does not depend on the order of the candidates. And an additional
// candidate does not change the order of the others.
uint32_t draw_intended(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  uint32_t first = 0;
  uint64_t time = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Pending& p = *candidates[i];
    const uint64_t t = exponential(context.point.draw(mix(kObjectSubject, p.thread)));
    const unsigned __int128 mine = static_cast<unsigned __int128>(t) * left(*candidates[first]);
    const unsigned __int128 best = static_cast<unsigned __int128>(time) * left(p);
    if (i == 0 || mine < best || (mine == best && p.thread_index < candidates[first]->thread_index)) {
      first = i;
      time = t;
    }
  }
  return candidates[first]->thread_index;
}

bool is_aside(const Pending& op) { return op.thread_index != g.intended && interesting(op); }

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  if (place_of(g.intended, candidates, count, context) == kNoCandidate) g.intended = draw_intended(candidates, count, context);
  if (!context.slots.empty()) {
    const uint32_t drawn = pick_by_trials(context, count, [&](uint32_t slot) { return !is_aside(*candidates[slot]); });
    if (drawn != kNoCandidate) return drawn;
  }
  const uint64_t base = context.point.base();
  return pick_largest(candidates, count, [base](const Pending& p) {
    const uint64_t draw = mix(base, p.identity) >> 2;
    return is_aside(p) ? draw : draw | 1ull << 63;
  });
}

}  // namespace

constinit const Strategy kSurw = {
    StrategyId::surw, "surw",
    "The operations on one object (`surw-site`) are interleaved uniformly, by each thread's `weight`. Other operations: a random walk.",
    begin, posted, executed, pick};

}  // namespace heddle::rt
