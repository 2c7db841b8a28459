#include "primitives/clock_jump.h"

#include <algorithm>
#include <iterator>

#include "schema/clock_jumps.h"
#include "trace/recorder.h"
#include "trace/run_notes.h"

namespace heddle::rt::primitives {
namespace {

// If the seed lets clocks jump, there is none before half of the reads: the ways not to jump, beside one for each length.
constexpr uint32_t kNoJump = 4;

bool is_processor_time(clockid_t clock) { return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID; }

// Has another thread done something since this one was there? A thread whose creator waits for it at once measures nothing but itself: tests
// do that, with limits.
bool others_have_run(const Thread& t) {
  constexpr uint32_t kLookedAt = 1024;  // operations
  const auto& events = recorder().events;
  const uint32_t begin = recorder().threads[t.index].create_event + 1;  // kNoEvent + 1 is 0: main
  const uint32_t end = static_cast<uint32_t>(std::min<size_t>(events.size(), size_t{begin} + kLookedAt));
  for (uint32_t i = begin; i < end; ++i) {
    if (events[i].thread != t.index) return true;
  }
  return false;
}

}  // namespace

void may_jump(clockid_t clock, Place place) {
  Engine& e = engine();
  const bool drawn = clocks_jump(e.schedule().seed);
  if (!drawn && e.schedule().selects.empty()) return;
  if (e.assumes(kPatientTimeouts) || is_processor_time(clock)) return;
  const OpSpec spec{.kind = Kind::clock_jump, .place = place};
  bool preferred = false;
  const bool may = e.alive() > 1 && others_have_run(*current_thread()) && (drawn || e.preference(spec) != nullptr);
  const uint32_t jump = may ? e.hurry(spec, 1 + std::size(kClockJumps), kNoJump, preferred) : 0;
  if (jump == 0) return e.leave_out(spec);
  Pending& p = e.arrive(spec);
  e.advance_time(kClockJumps[jump - 1]);
  time_notes().add(static_cast<uint32_t>(recorder().events.size()), e.now(), true);
  e.commit(p, {.choice = jump, .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0)});
}

}  // namespace heddle::rt::primitives
