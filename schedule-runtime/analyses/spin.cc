#include "analyses/spin.h"

#include <algorithm>

#include "trace/look.h"

namespace heddle::rt {
namespace {

// For the loops of all threads together. A loop with more operations, or with longer rounds, is not recognised.
constexpr uint32_t kMostDifferent = 256, kRound = 1024;
constexpr uint32_t kTurns = 8;  // so often, an operation is no chance repetition

}  // namespace

uint32_t spin_begin(const RunSummary& run) {
  uint32_t end = run.event_count;
  while (end != 0 && !run.events[end - 1].finished()) --end;
  uint32_t loop[kMostDifferent];  // one event of each kind in it
  uint32_t different = 0;
  const auto in_loop = [&](uint32_t i) {
    return std::any_of(loop, loop + different, [&](uint32_t other) { return same_turn(run.events[other], run.events[i]); });
  };
  // At most half of the run: a loop is recognised after two rounds.
  const uint32_t round = end - std::min(kRound, end / 2);
  for (uint32_t i = end; i-- > round;) {
    if (in_loop(i)) continue;
    if (different == kMostDifferent) return end;
    loop[different++] = i;
  }
  // The last rounds lack the looks that are no longer recorded. One that comes in several rounds before is a part of the loops, too.
  const auto joins_loop = [&](uint32_t i) {
    const Event& e = run.events[i];
    // The record does not say whether a read-modify-write has changed the value. One that finds the same in each round is taken for one that has not.
    if (different == kMostDifferent || !is_look(e.kind, e.outcome, true)) return false;
    uint32_t turns = 0;
    for (uint32_t k = i - std::min(kRound, i); k < i && turns < kTurns; ++k) turns += same_turn(run.events[k], e);
    if (turns < kTurns) return false;
    loop[different++] = i;
    return true;
  };
  uint32_t begin = round;
  while (begin != 0 && (in_loop(begin - 1) || joins_loop(begin - 1))) --begin;
  return begin;
}

}  // namespace heddle::rt
