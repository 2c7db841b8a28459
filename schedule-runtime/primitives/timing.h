// Virtual time for primitives: deadlines, and the choice whether a time comes before the others' work.
#pragma once

#include <time.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// Nanoseconds of a virtual clock right now. Reading it costs virtual time, more and more for a thread that does nothing
// else, so that a loop that waits for the clock ends. From the second read in a row on it is a choice point (a yield).
uint64_t read_clock(clockid_t clock, Place place);
// An absolute time of a clock, or an interval, as an engine deadline. What is more than ten years away is no limit: kNever.
uint64_t deadline_at(clockid_t clock, const timespec& time);
uint64_t deadline_in(const timespec& interval);
bool valid_timespec(const timespec& time);

// Sleeps in virtual time until `deadline`; kNever: for ten years.
void sleep_until(uint64_t deadline, Place place);
// `value` is the event's.
void yield(Place place, uint32_t value = 0);

// Does the time of this timed operation come although others could still run? A choice of the select kind: candidate 1.
bool draws_early_timeout(const OpSpec& spec, bool& preferred);

// Does this wait without a time limit wake spuriously? A choice of the select kind: candidate 1; candidate 0 has `first_weight`.
bool draws_spurious_wake(const OpSpec& spec, uint32_t first_weight, bool& preferred);

// Arrives with a lock-like operation that waits for `spec.may_go` until `spec.deadline`; Pending::timed_out says how it went, `flags` what
// its event gets. A time-out that the schedule prefers is an outcome (outcome.h): the operation waits until it `may_not_go`, and then its
// time comes. A lock that nobody holds cannot be waited for in vain.
Pending& arrive_timed(OpSpec& spec, MayGo may_not_go, uint8_t& flags);

}  // namespace heddle::rt::primitives
