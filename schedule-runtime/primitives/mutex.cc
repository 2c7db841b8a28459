#include "primitives/mutex.h"

#include <errno.h>

#include "base/asan.h"
#include "primitives/outcome.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kDestroyedTag = 0xDEAD0001;

enum class Type { normal, recursive, errorcheck };

Type type_of(const pthread_mutex_t* m) {
  switch (m->__data.__kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE: return Type::recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return Type::errorcheck;
    default: return Type::normal;
  }
}

// Error-checking and recursive mutexes can be robust, too.
bool is_robust(const pthread_mutex_t* m) {
  constexpr int kRobust = 16;  // PTHREAD_MUTEX_ROBUST_NORMAL_NP
  return (m->__data.__kind & kRobust) != 0;
}

// __nusers: outside of an execution, the real calls do not depend on it.
unsigned& tag_of(pthread_mutex_t* m) { return m->__data.__nusers; }

bool is_free(const Pending& p) { return p.object->as<MutexState>().owner == 0; }

bool is_taken(const Pending& p) { return !is_free(p); }

bool never(const Pending&) { return false; }

uint32_t holder_event(const Object& o) { return o.last_acquire_event; }

void set_free(Object& o) {
  MutexState& s = o.as<MutexState>();
  s.owner = 0;
  s.depth = 0;
  o.holder = 0;
}

// Commits the unlock.
void give_back(Object& o, Pending& p, uint32_t value = 0) {
  set_free(o);
  o.as<MutexState>().last_unlock_event = engine().commit(p, {.value = value});
}

// The next owner learns that this owner has died. The effect is as if the thread had released the mutex at its end.
void leave_robust(Thread& t) {
  Engine& e = engine();
  for (uint32_t i = 1; i < e.object_count(); ++i) {
    Object& o = e.object_at(i);
    const bool left = o.family == Family::mutex && o.as<MutexState>().robust && o.as<MutexState>().owner == t.index + 1;
    if (!left || o.destroyed || e.find_object(o.address) != &o) continue;
    Pending& p = e.arrive({.kind = Kind::mutex_unlock, .object = &o, .place = {t.start_pc, 0}});
    o.as<MutexState>().health = MutexHealth::owner_died;
    give_back(o, p, kValueOfDeadOwner);
  }
}

// Takes the free mutex for the current thread. Returns the call's result.
int acquire(Object& o, Pending& p, Outcome outcome) {
  MutexState& s = o.as<MutexState>();
  if (__builtin_expect(s.health == MutexHealth::lost, 0)) {
    engine().commit(p, {.outcome = Outcome::failure, .stored = false});
    return ENOTRECOVERABLE;
  }
  Thread& t = *current_thread();
  s.owner = t.index + 1;
  s.depth = 1;
  o.holder = s.owner;
  if (__builtin_expect(s.robust, 0)) t.at_end = leave_robust;
  const uint32_t value = s.health == MutexHealth::owner_died ? kValueOfDeadOwner : 0;
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .value = value, .partner = s.last_unlock_event});
  return s.health == MutexHealth::owner_died ? EOWNERDEAD : 0;
}

void reenter(Object& o, Kind kind, Place place) {
  Pending& p = engine().arrive({.kind = kind, .object = &o, .place = place});
  ++o.as<MutexState>().depth;
  engine().commit(p, {.flags = kEventRecursive, .stored = false});
}

// The result if this thread already holds the mutex. -1: go on and wait.
int lock_again(Object& o, Type type, Kind kind, Place place) {
  switch (type) {
    case Type::recursive: reenter(o, kind, place); return 0;
    case Type::errorcheck: return EDEADLK;
    case Type::normal: return -1;
  }
  return -1;
}

}  // namespace

Object& mutex_object(pthread_mutex_t* mutex, Place place) {
  asan_check(mutex, sizeof *mutex, false, place.pc, place.frame);
  Engine& e = engine();
  Object* o = &e.object(reinterpret_cast<uintptr_t>(mutex), Family::mutex, place);
  const uint32_t expected = o->destroyed ? kDestroyedTag : o->index;
  if (tag_of(mutex) != expected) {
    if (o->modelled) {
      e.forget_object(o->address);  // the memory was overwritten: it now holds another mutex
      o = &e.object(reinterpret_cast<uintptr_t>(mutex), Family::mutex, place);
    }
    tag_of(mutex) = o->index;
    o->as<MutexState>() = {.owner = 0, .depth = 0, .last_unlock_event = kNoEvent, .robust = is_robust(mutex), .health = MutexHealth::fine};
  }
  if (!o->modelled) {
    o->modelled = true;
    o->as<MutexState>().last_unlock_event = kNoEvent;
  }
  e.check_alive(*o, place);
  return *o;
}

void mutex_hand_over(Object& o, uint32_t from, uint32_t to) {
  MutexState& s = o.as<MutexState>();
  if (s.owner == from + 1) o.holder = s.owner = to + 1;
}

void mutex_init(pthread_mutex_t* mutex, Place place) {
  if (engine().initialised(reinterpret_cast<uintptr_t>(mutex))) engine().touched(mutex_object(mutex, place));
}

int mutex_destroy(pthread_mutex_t* mutex, Place place) {
  Object& o = mutex_object(mutex, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::mutex_destroy, .object = &o, .place = place});
  const MutexState& s = o.as<MutexState>();
  if (s.owner != 0 || o.pending_head != nullptr) {
    e.misuse(FindingType::destroy_held, &o, place, s.owner != 0 ? s.owner - 1 : kNoEvent, holder_event(o));
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    return EBUSY;
  }
  o.destroyed = true;
  tag_of(mutex) = kDestroyedTag;
  o.destroy_event = e.commit(p, {});
  return 0;
}

int mutex_lock(pthread_mutex_t* mutex, Place place) {
  Object& o = mutex_object(mutex, place);
  OpSpec spec{.kind = Kind::mutex_lock, .object = &o, .place = place, .may_go = is_free};
  if (mutex_held_by_current(o)) {
    const int answer = lock_again(o, type_of(mutex), spec.kind, place);
    if (answer >= 0) return answer;
    engine().misuse(FindingType::double_lock, &o, place, current_thread()->index, holder_event(o));
    spec.may_go = never;  // what a normal mutex does
  }
  return acquire(o, engine().arrive(spec), Outcome::none);
}

int mutex_trylock(pthread_mutex_t* mutex, Place place) {
  Object& o = mutex_object(mutex, place);
  if (mutex_held_by_current(o) && type_of(mutex) == Type::recursive) {
    reenter(o, Kind::mutex_trylock, place);
    return 0;
  }
  OpSpec spec{.kind = Kind::mutex_trylock, .object = &o, .place = place};
  prefer_outcome(spec, is_free, is_taken);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (o.as<MutexState>().owner == 0) {
    p.event_flags |= flags;
    return acquire(o, p, Outcome::success);
  }
  engine().commit(p, {.outcome = Outcome::failure, .partner = holder_event(o), .choice = 1, .flags = flags, .stored = false});
  return EBUSY;
}

int mutex_timedlock(pthread_mutex_t* mutex, uint64_t deadline, Place place) {
  Object& o = mutex_object(mutex, place);
  OpSpec spec{.kind = Kind::mutex_timedlock, .object = &o, .place = place, .may_go = is_free, .deadline = deadline};
  if (mutex_held_by_current(o)) {
    const int answer = lock_again(o, type_of(mutex), spec.kind, place);
    if (answer >= 0) return answer;
  }
  uint8_t flags;
  Pending& p = arrive_timed(spec, is_taken, flags);
  if (p.timed_out) {
    engine().commit(p, {.outcome = Outcome::timeout, .choice = 1, .flags = flags, .stored = false});
    return ETIMEDOUT;
  }
  p.event_flags |= flags;
  return acquire(o, p, Outcome::success);
}

int mutex_unlock(pthread_mutex_t* mutex, Place place) {
  Object& o = mutex_object(mutex, place);
  Engine& e = engine();
  MutexState& s = o.as<MutexState>();
  if (!mutex_held_by_current(o)) {
    if (type_of(mutex) == Type::normal) {
      if (s.owner == 0) e.misuse(FindingType::unlock_not_locked, &o, place);
      else e.misuse(FindingType::unlock_not_owner, &o, place, s.owner - 1, holder_event(o));
    }
    return EPERM;
  }
  Pending& p = e.arrive({.kind = Kind::mutex_unlock, .object = &o, .place = place});
  if (s.depth > 1) {
    --s.depth;
    e.commit(p, {.flags = kEventRecursive, .stored = false});
    return 0;
  }
  if (s.health == MutexHealth::owner_died) s.health = MutexHealth::lost;
  give_back(o, p);
  return 0;
}

int mutex_consistent(pthread_mutex_t* mutex, Place place) {
  MutexState& s = mutex_object(mutex, place).as<MutexState>();
  if (s.health != MutexHealth::owner_died || s.owner != current_thread()->index + 1) return EINVAL;
  s.health = MutexHealth::fine;
  return 0;
}

bool mutex_held_by_current(const Object& mutex) {
  return const_cast<Object&>(mutex).as<MutexState>().owner == current_thread()->index + 1;
}

void mutex_give_up(Object& mutex, uint32_t event) {
  MutexState& s = mutex.as<MutexState>();
  if (s.depth > 1) {
    --s.depth;
    return;
  }
  set_free(mutex);
  s.last_unlock_event = event;
  engine().touched(mutex);
}

int mutex_take_back(Object& mutex, Place place) {
  if (mutex_held_by_current(mutex)) {
    reenter(mutex, Kind::mutex_lock, place);
    return 0;
  }
  Pending& p = engine().arrive({.kind = Kind::mutex_lock, .object = &mutex, .place = place, .may_go = is_free});
  return acquire(mutex, p, Outcome::none);
}

}  // namespace heddle::rt::primitives
