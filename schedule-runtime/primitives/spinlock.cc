#include "primitives/spinlock.h"

#include <errno.h>

#include "base/asan.h"
#include "primitives/outcome.h"

namespace heddle::rt::primitives {
namespace {

struct SpinState {
  uint32_t owner;  // thread index + 1; 0: free
  uint32_t last_unlock_event;
};

bool is_free(const Pending& p) { return p.object->as<SpinState>().owner == 0; }
bool is_taken(const Pending& p) { return !is_free(p); }

bool never(const Pending&) { return false; }

uintptr_t address_of(pthread_spinlock_t* lock) { return reinterpret_cast<uintptr_t>(lock); }

Object& spin_object(pthread_spinlock_t* lock, Place place) {
  asan_check(lock, sizeof *lock, false, place.pc, place.frame);
  Object& o = engine().object(address_of(lock), Family::spinlock, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<SpinState>().last_unlock_event = kNoEvent;
  }
  engine().check_alive(o, place);
  return o;
}

// On x86, glibc's word of a free lock is 1: who locks a zeroed one spins without end. Elsewhere zero is a free lock.
constexpr bool kZeroIsTaken =
#ifdef __x86_64__
    true;
#else
    false;
#endif

void check_initialised(const Object& o, const pthread_spinlock_t* lock, Place place) {
  if (kZeroIsTaken && *lock == 0) engine().misuse(FindingType::use_before_init, &o, place);
}

void acquire(Object& o, Pending& p, Outcome outcome) {
  SpinState& s = o.as<SpinState>();
  s.owner = current_thread()->index + 1;
  o.holder = s.owner;
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_unlock_event});
}

}  // namespace

void spin_hand_over(Object& o, uint32_t from, uint32_t to) {
  SpinState& s = o.as<SpinState>();
  if (s.owner == from + 1) o.holder = s.owner = to + 1;
}

void spin_init(pthread_spinlock_t* lock, Place place) {
  if (engine().initialised(address_of(lock))) engine().touched(spin_object(lock, place));
}

int spin_destroy(pthread_spinlock_t* lock, Place place) {
  Object& o = spin_object(lock, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::mutex_destroy, .object = &o, .place = place});
  const SpinState& s = o.as<SpinState>();
  if (s.owner != 0 || o.pending_head != nullptr) {
    e.misuse(FindingType::destroy_held, &o, place, s.owner != 0 ? s.owner - 1 : kNoEvent, o.last_acquire_event);
  }
  o.destroyed = true;
  o.destroy_event = e.commit(p, {});
  return 0;
}

int spin_lock(pthread_spinlock_t* lock, Place place) {
  Object& o = spin_object(lock, place);
  OpSpec spec{.kind = Kind::mutex_lock, .object = &o, .place = place, .may_go = is_free};
  if (o.as<SpinState>().owner == current_thread()->index + 1) {
    engine().misuse(FindingType::double_lock, &o, place, current_thread()->index, o.last_acquire_event);
    spec.may_go = never;
  }
  Pending& p = engine().arrive(spec);
  check_initialised(o, lock, place);
  acquire(o, p, Outcome::none);
  return 0;
}

int spin_trylock(pthread_spinlock_t* lock, Place place) {
  Object& o = spin_object(lock, place);
  OpSpec spec{.kind = Kind::mutex_trylock, .object = &o, .place = place};
  prefer_outcome(spec, is_free, is_taken);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (is_free(p)) {
    p.event_flags |= flags;
    acquire(o, p, Outcome::success);
    return 0;
  }
  engine().commit(p, {.outcome = Outcome::failure, .partner = o.last_acquire_event, .choice = 1, .flags = flags, .stored = false});
  return EBUSY;
}

int spin_unlock(pthread_spinlock_t* lock, Place place) {
  Object& o = spin_object(lock, place);
  Engine& e = engine();
  SpinState& s = o.as<SpinState>();
  if (s.owner != current_thread()->index + 1) {
    if (s.owner == 0) e.misuse(FindingType::unlock_not_locked, &o, place);
    else e.misuse(FindingType::unlock_not_owner, &o, place, s.owner - 1, o.last_acquire_event);
    return EPERM;
  }
  Pending& p = e.arrive({.kind = Kind::mutex_unlock, .object = &o, .place = place});
  s.owner = 0;
  o.holder = 0;
  s.last_unlock_event = e.commit(p, {});
  return 0;
}

}  // namespace heddle::rt::primitives
