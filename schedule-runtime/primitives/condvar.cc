#include "primitives/condvar.h"

#include <errno.h>

#include "base/asan.h"
#include "primitives/cancellation.h"
#include "primitives/interruption.h"
#include "primitives/mutex.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kDestroyedTag = 0xDEAD0002;
// A wait without a time limit wakes spuriously with probability 1/16, and at most once.
constexpr uint32_t kNoSpuriousWeight = 15;

// On the stack of the waiting thread. The thread is parked as long as the object is in use.
struct Waiter {
  bool signalled;
  bool spurious;
  uint32_t signal_event;
};

Waiter& waiter_of(const Pending& p) { return *reinterpret_cast<Waiter*>(p.detail); }

bool may_wake(const Pending& p) { return waiter_of(p).signalled || waiter_of(p).spurious; }

// __g1_start: the real calls read it only while a thread is really waiting.
uint32_t& tag_of(pthread_cond_t* c) { return reinterpret_cast<uint32_t*>(c)[3]; }

// Another thread may have destroyed the condition variable before this operation has its turn. So check again.
Pending& arrive_alive(const OpSpec& spec) {
  Pending& p = engine().arrive(spec);
  engine().check_alive(*spec.object, spec.place);
  return p;
}

Object& cond_object(pthread_cond_t* cond, Place place) {
  asan_check(cond, sizeof *cond, false, place.pc, place.frame);
  Engine& e = engine();
  Object* o = &e.object(reinterpret_cast<uintptr_t>(cond), Family::condvar, place);
  const uint32_t expected = o->destroyed ? kDestroyedTag : o->index;
  if (tag_of(cond) != expected) {
    if (o->modelled) {
      e.forget_object(o->address);
      o = &e.object(reinterpret_cast<uintptr_t>(cond), Family::condvar, place);
    }
    tag_of(cond) = o->index;
  }
  o->modelled = true;
  e.check_alive(*o, place);
  return *o;
}

bool waits(const Pending& p) { return p.kind == Kind::cond_wake && !waiter_of(p).signalled; }

uint32_t count_waiters(const Object& o) {
  uint32_t n = 0;
  for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) n += waits(*p);
  return n;
}

// The n-th waiter in order of arrival. The list has the newest first.
Pending* nth_waiter(const Object& o, uint32_t n, uint32_t count) {
  uint32_t skip = count - 1 - n;
  for (Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    if (waits(*p) && skip-- == 0) return p;
  }
  return nullptr;
}

}  // namespace

int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex, uint64_t deadline, Place place) {
  Object& o = cond_object(cond, place);
  Object& m = mutex_object(mutex, place);
  Engine& e = engine();
  if (!mutex_held_by_current(m)) {
    e.misuse(FindingType::unlock_not_owner, &m, place, m.holder != 0 ? m.holder - 1 : kNoEvent, m.last_acquire_event,
             "a wait needs the mutex to be locked by the waiting thread");
    return EPERM;
  }
  Pending& enter = arrive_alive({.kind = Kind::cond_wait, .object = &o, .place = place});
  const uint32_t wait_event = e.commit(enter, {.choice = m.index});
  mutex_give_up(m, wait_event);

  Waiter waiter{false, false, kNoEvent};
  const bool timed = deadline != kNever;
  OpSpec spec{.kind = Kind::cond_wake, .object = &o, .place = place, .may_go = may_wake, .deadline = deadline,
              .detail = reinterpret_cast<uintptr_t>(&waiter)};
  bool preferred;
  uint32_t early;
  if (timed) {
    const EndOfWait end = draws_end_of_wait(spec, preferred);
    spec.may_time_out_early = end == EndOfWait::limit;
    waiter.spurious = end == EndOfWait::spurious;
    early = static_cast<uint32_t>(end);
  } else {
    early = waiter.spurious = draws_spurious_wake(spec, kNoSpuriousWeight, preferred);
  }
  spec.prefers = early && preferred;  // it then goes at once: what happens next could be its cause
  waiter.spurious |= wakes_for_handler();
  Pending& wake = e.arrive(spec);
  Commit how{.choice = early, .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0), .stored = false};
  int result = 0;
  if (waiter.signalled) {
    how.outcome = Outcome::signalled;
    how.partner = waiter.signal_event;
  } else if (wake.timed_out) {
    how.outcome = Outcome::timeout;
    result = ETIMEDOUT;
  } else {
    how.outcome = Outcome::spurious;
  }
  e.commit(wake, how);
  if (spec.prefers && !waiter.signalled) e.go_first();
  const int dead = mutex_take_back(m, place);
  if (!waiter.signalled) cancellation_point(place);
  return dead != 0 ? dead : result;
}

void cond_wake_without_cause(Pending& p) {
  waiter_of(p).spurious = true;
  engine().wake(p);
}

int cond_signal(pthread_cond_t* cond, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  const OpSpec spec{.kind = Kind::cond_signal, .object = &o, .place = place};
  Pending& p = arrive_alive(spec);
  const uint32_t count = count_waiters(o);
  if (count == 0) {
    e.commit(p, {.outcome = Outcome::failure});
    return 0;
  }
  bool preferred = false;
  const uint32_t chosen = e.choose(spec, count, 1, &preferred);
  Waiter& waiter = waiter_of(*nth_waiter(o, chosen, count));
  waiter.signalled = true;
  waiter.signal_event = e.commit(p, {.outcome = Outcome::success, .value = count, .choice = chosen,
                                     .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0)});
  e.touched(o);
  return 0;
}

int cond_broadcast(pthread_cond_t* cond, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  Pending& p = arrive_alive({.kind = Kind::cond_broadcast, .object = &o, .place = place});
  const uint32_t count = count_waiters(o);
  const uint32_t event = e.commit(p, {.outcome = count != 0 ? Outcome::success : Outcome::failure, .value = count});
  for (Pending* w = o.pending_head; w != nullptr; w = w->owner->next_pending) {
    if (!waits(*w)) continue;
    waiter_of(*w).signalled = true;
    waiter_of(*w).signal_event = event;
  }
  e.touched(o);
  return 0;
}

void cond_init(pthread_cond_t* cond, Place place) {
  if (engine().initialised(reinterpret_cast<uintptr_t>(cond))) engine().touched(cond_object(cond, place));
}

// A destruction is allowed if no thread waits. Threads that were notified may still be about to leave.
int cond_destroy(pthread_cond_t* cond, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::cond_destroy, .object = &o, .place = place});
  const uint32_t count = count_waiters(o);
  if (count != 0) {
    const Pending* waiter = nth_waiter(o, 0, count);
    e.misuse(FindingType::destroy_waited, &o, place, waiter->thread_index);
  }
  o.destroyed = true;
  tag_of(cond) = kDestroyedTag;
  o.destroy_event = e.commit(p, {});
  return 0;
}

}  // namespace heddle::rt::primitives
