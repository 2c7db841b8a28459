// Virtual time for primitives: deadlines, and the choice whether a deadline comes before the other threads' work.
#pragma once

#include <time.h>

#include "engine/engine.h"
#include "schema/end_of_wait.h"

namespace heddle::rt::primitives {

// The time of a virtual clock, in ns. Each read costs virtual time, and reads in a row cost more and more. So a loop that waits for the
// clock ends. From the second read in a row on, a read is a choice point (a yield). If another thread has run meanwhile, the clock can jump
// before it is read: a choice of the select kind, which a few seeds draw (schema/clock_jumps.h).
uint64_t read_clock(clockid_t clock, Place place);
// The same in the program's initialisation. REQUIRES: initialises().
uint64_t read_early_clock(clockid_t clock);
// How long it is until an absolute time of that clock, in ns.
uint64_t left_of_early_clock(clockid_t clock, const timespec& time);
// Converts an absolute time of a clock, or an interval, to an engine deadline. A time more than ten years away is no limit: kNever.
uint64_t deadline_at(clockid_t clock, const timespec& time);
uint64_t deadline_in(const timespec& interval);
bool valid_timespec(const timespec& time);
// Is there such a clock? One of the kernel's, or the processor time of a process or a thread.
bool valid_clock(clockid_t clock);
// 0, or how a sleep by this clock fails.
int sleep_error(clockid_t clock);
// Is this a time limit that a wait can have? Waits go by CLOCK_REALTIME and CLOCK_MONOTONIC.
bool valid_limit(clockid_t clock, const timespec& time);
// The same without rules for clocks, in ns. REQUIRES: no negative time.
uint64_t nanoseconds_of(const timespec& time);
timespec timespec_of(uint64_t nanoseconds);

// Timers (timerfd, timer_create). Is this a time that one can be set to?
bool valid_for_timer(const itimerspec& time);
// The engine deadline of a timer that is set to `time`, which is absolute or an interval; kNever: it is stopped.
uint64_t timer_due(clockid_t clock, bool absolute, const timespec& time);
// What is left of a timer with this engine deadline.
itimerspec timer_left(uint64_t due, uint64_t interval);

// Sleeps in virtual time until `deadline`; kNever: for ten years. False: a signal handler has ended the sleep.
bool sleep_until(uint64_t deadline, Place place);
// The same for an interval. If a handler has ended the sleep, `rest` (which may be null) gets the time that was left.
bool sleep_for(const timespec& interval, timespec* rest, Place place);
// `value` is the value of the event.
void yield(Place place, uint32_t value = 0);

// Does the deadline of this timed operation come although other threads could still run? A choice of the select kind; "yes" is candidate 1.
bool draws_early_timeout(const OpSpec& spec, bool& preferred);

// How does a wait on a condition variable with a time limit end? A choice of the select kind.
EndOfWait draws_end_of_wait(const OpSpec& spec, bool& preferred);
// Does this wait without a time limit wake spuriously? A choice of the select kind; "yes" is candidate 1; candidate 0 has `first_weight`.
bool draws_spurious_wake(const OpSpec& spec, uint32_t first_weight, bool& preferred);

// Arrives at a lock-like operation that waits for `spec.may_go` until `spec.deadline`. Pending::timed_out tells the result; `flags` is for
// its event. A time-out that the schedule prefers is an outcome (outcome.h): the operation waits until `may_not_go` holds, and then it
// times out. So a wait for a free lock never times out.
Pending& arrive_timed(OpSpec& spec, MayGo may_not_go, uint8_t& flags);

}  // namespace heddle::rt::primitives
