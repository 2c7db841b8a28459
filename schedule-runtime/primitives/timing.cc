#include "primitives/timing.h"

#include <errno.h>

#include <algorithm>

#include "engine/initialisation.h"
#include "primitives/clock_jump.h"
#include "primitives/interruption.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint64_t kSecond = 1'000'000'000ull;
// CLOCK_REALTIME minus the engine's time: an ordinary date, the same in every run.
constexpr uint64_t kRealtimeOffset = 1'700'000'000ull * kSecond;
// A deadline beyond this counts as none. Programs use the largest time as "no limit". If the clock moved to that time, their next deadline
// would overflow.
constexpr uint64_t kTooLong = 10 * 365 * 86'400 * kSecond;
// Probability of an early time-out: 1 in 8 timed operations.
constexpr uint32_t kEarlyWeight = 7;

bool is_realtime(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

uint64_t of_clock(clockid_t clock, uint64_t now) { return is_realtime(clock) ? now + kRealtimeOffset : now; }

bool never(const Pending&) { return false; }

uint64_t deadline(unsigned __int128 ns) { return ns > engine().now() + static_cast<unsigned __int128>(kTooLong) ? kNever : static_cast<uint64_t>(ns); }

}  // namespace

uint64_t read_clock(clockid_t clock, Place place) {
  Thread& t = *current_thread();
  Engine& e = engine();
  may_jump(clock, place);
  const uint32_t before = t.clock_reads;
  e.read_time(t);
  const uint32_t reads = t.clock_reads;
  if (before != 0) yield(place, kYieldOfClock);
  // The commit() of the yield has reset the count. It should count reads until an operation of another kind.
  t.clock_reads = reads;
  return of_clock(clock, e.now());
}

uint64_t read_early_clock(clockid_t clock) { return of_clock(clock, initialisation().read_time()); }

uint64_t left_of_early_clock(clockid_t clock, const timespec& time) {
  const uint64_t now = of_clock(clock, initialisation().time()), until = time.tv_sec < 0 ? 0 : nanoseconds_of(time);
  return until > now ? std::min(until - now, kTooLong) : 0;
}

bool valid_clock(clockid_t clock) {
  constexpr clockid_t kGone = 10;  // of a machine that is no longer made
  constexpr clockid_t kOfFile = 3;  // in the lowest bits of a negative number. Other negative numbers stand for processor times
  return clock < 0 ? (clock & kOfFile) != kOfFile : clock <= CLOCK_TAI && clock != kGone;
}

int sleep_error(clockid_t clock) {
  if (!valid_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  return clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE ? EOPNOTSUPP : 0;
}

bool valid_limit(clockid_t clock, const timespec& time) { return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && valid_timespec(time); }

bool valid_timespec(const timespec& time) { return time.tv_nsec >= 0 && static_cast<uint64_t>(time.tv_nsec) < kSecond; }

uint64_t nanoseconds_of(const timespec& time) { return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec); }

timespec timespec_of(uint64_t nanoseconds) { return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)}; }

uint64_t deadline_at(clockid_t clock, const timespec& time) {
  if (time.tv_sec < 0) return 0;
  const unsigned __int128 ns = static_cast<unsigned __int128>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
  const uint64_t offset = is_realtime(clock) ? kRealtimeOffset : 0;
  return ns <= offset ? 0 : deadline(ns - offset);
}

uint64_t deadline_in(const timespec& interval) {
  const unsigned __int128 ns = static_cast<unsigned __int128>(interval.tv_sec) * kSecond +
                               static_cast<uint64_t>(interval.tv_nsec) + engine().now();
  return deadline(ns);
}

bool valid_for_timer(const itimerspec& time) {
  const auto valid = [](const timespec& t) { return t.tv_sec >= 0 && valid_timespec(t); };
  return valid(time.it_value) && valid(time.it_interval);
}

uint64_t timer_due(clockid_t clock, bool absolute, const timespec& time) {
  if (nanoseconds_of(time) == 0) return kNever;
  return absolute ? deadline_at(clock, time) : deadline_in(time);
}

itimerspec timer_left(uint64_t due, uint64_t interval) {
  const uint64_t now = engine().now();
  itimerspec left = {timespec_of(interval), {0, 0}};
  if (due != kNever) left.it_value = timespec_of(due > now ? due - now : 1);
  return left;
}

bool sleep_until(uint64_t deadline, Place place) {
  if (deadline == kNever) deadline = engine().now() + kTooLong;  // who sleeps is not blocked
  OpSpec spec{.kind = Kind::sleep, .place = place, .may_go = never, .deadline = deadline};
  bool preferred;
  spec.may_time_out_early = draws_early_timeout(spec, preferred);
  const bool early = spec.may_time_out_early;
  Pending& p = engine().arrive(spec);
  if (was_interrupted()) return false;
  engine().commit(p, {.choice = early ? 1u : 0u, .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0)});
  return true;
}

bool sleep_for(const timespec& interval, timespec* rest, Place place) {
  const uint64_t until = deadline_in(interval);
  if (sleep_until(until, place)) return true;
  const uint64_t now = engine().now(), left = until > now ? until - now : 0;
  if (rest != nullptr) *rest = {static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
  return false;
}

void yield(Place place, uint32_t value) {
  Thread& t = *current_thread();
  // While a thread is patient, its yields give no other thread a turn. See Engine::spin_threshold.
  if (t.spin_threshold != Engine::kSpinThreshold && t.stale_ops < t.spin_threshold) {
    ++t.stale_ops;
    return;
  }
  engine().commit(engine().arrive({.kind = Kind::yield, .place = place}), {.value = value});
}

bool draws_early_timeout(const OpSpec& spec, bool& preferred) {
  preferred = false;
  return !engine().assumes(kPatientTimeouts) && engine().hurries(spec, kEarlyWeight, preferred);
}

EndOfWait draws_end_of_wait(const OpSpec& spec, bool& preferred) {
  preferred = false;
  const bool limit = !engine().assumes(kPatientTimeouts), spurious = !engine().assumes(kNoSpuriousWakes);
  if (!limit && !spurious) return EndOfWait::as_it_comes;
  const auto end = static_cast<EndOfWait>(engine().hurry(spec, 3, kEarlyWeight, preferred));
  if ((end == EndOfWait::limit && !limit) || (end == EndOfWait::spurious && !spurious)) {
    preferred = false;
    return EndOfWait::as_it_comes;
  }
  return end;
}

bool draws_spurious_wake(const OpSpec& spec, uint32_t first_weight, bool& preferred) {
  preferred = false;
  return !engine().assumes(kNoSpuriousWakes) && engine().hurries(spec, first_weight, preferred);
}

Pending& arrive_timed(OpSpec& spec, MayGo may_not_go, uint8_t& flags) {
  Engine& e = engine();
  flags = 0;
  if (spec.deadline == kNever) return e.arrive(spec);
  const uint64_t deadline = spec.deadline;
  bool preferred;
  const bool early = draws_early_timeout(spec, preferred);
  spec.prefers = early && preferred;
  spec.may_time_out_early = early && !preferred;
  if (spec.prefers) {
    spec.may_go = may_not_go;
    spec.deadline = kNever;  // the time alone does not make it fail
  }
  Pending& p = e.arrive(spec);
  if (spec.prefers && !p.gave_up) {
    p.timed_out = true;
    if (deadline > e.now()) e.advance_time(deadline - e.now());
  }
  if (preferred && !p.gave_up) flags = kEventPreferred;
  return p;
}

}  // namespace heddle::rt::primitives
