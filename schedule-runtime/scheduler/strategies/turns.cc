// Turns: a thread makes a few operations, then it is the turn of the one that has waited longest. What protocols and ping-pong bugs need is often one
// strict alternation of ten steps and more. A random walk makes it once in 2^n; here it is one of a handful of runs.
//
// By seed: how long a turn is, and what is counted: every operation on an object, or only those that publish something (a write, or the release of a
// lock), so that a turn is a statement or a critical section. Now and then a thread has a second turn at once.
#include "scheduler/strategies/strategies.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kThreads = 1 << 14;
constexpr uint64_t kLengthSubject = 0x7B1, kTieSubject = 0x7B2, kAgainSubject = 0x7B3;
constexpr uint32_t kLengths[] = {1, 1, 1, 2, 2, 3, 4, 6};
constexpr uint32_t kAgain = 1 << 11;  // of 2^16

struct State {
  uint64_t seed;
  uint32_t length;
  bool publications;  // only these count
  uint32_t left;      // of the turn
  uint64_t clock;
  uint64_t begin;          // the clock at the beginning of the execution
  uint64_t ran[kThreads];  // the clock when the thread last ran; before `begin`: not yet
};
constinit State g = {};

void begin(const ScheduleView& schedule) {
  const uint64_t drawn = mix(schedule.seed, kLengthSubject);
  g.seed = schedule.seed;
  g.length = g.left = kLengths[drawn % (sizeof kLengths / sizeof *kLengths)];
  g.publications = (drawn >> 32 & 1) != 0;
  g.begin = ++g.clock;
}

bool counts(const Pending& op) {
  const uint16_t roles = kind_info(op.kind).roles;
  if (op.object_index == 0 || (roles & kThread) != 0) return false;
  return !g.publications || (roles & kDropsLock) != 0 || (roles & (kWrites | kHoldsLock)) == kWrites;
}

void executed(const Pending& op, Pending* const*, uint32_t) {
  g.ran[op.thread_index] = ++g.clock;
  if (g.left != 0 && counts(op)) --g.left;
}

// The lower, the longer its thread has waited.
uint64_t last_turn(const Pending& op) {
  const uint64_t ran = g.ran[op.thread_index];
  const uint64_t since = ran < g.begin ? 0 : ran - g.begin + 1;  // 0: has not run
  return since << 32 | mix(g.seed, mix(kTieSubject, op.thread)) >> 32;
}

uint32_t pick(Pending* const* candidates, uint32_t count, const ChoiceContext& context) {
  const uint32_t same = place_of(context.last_thread, candidates, count, context);
  if (same != kNoCandidate && g.left != 0) return same;
  g.left = g.length;
  if (same != kNoCandidate && context.point.chance(kAgainSubject, kAgain)) return same;
  uint32_t next = kNoCandidate;
  for (uint32_t i = 0; i < count; ++i) {
    if (i != same && (next == kNoCandidate || last_turn(*candidates[i]) < last_turn(*candidates[next]))) next = i;
  }
  return next;
}

}  // namespace

constinit const Strategy kTurns = {
    StrategyId::turns, "turns",
    "Threads take turns of one to six operations, or of one to six writes and releases of locks. The seed says which.",
    begin, nullptr, executed, pick};

}  // namespace heddle::rt
