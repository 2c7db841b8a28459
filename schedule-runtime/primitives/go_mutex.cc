#include "base/asan.h"
#include "primitives/go_lock.h"
#include "primitives/outcome.h"

namespace heddle::rt::primitives {
namespace {

struct GoMutexState {
  uint32_t owner;  // thread index + 1; 0: free, or locked before the execution
  uint32_t last_unlock_event;
  bool changes_hands;
};

bool is_free(const Pending& p) { return reinterpret_cast<const heddle_mutex*>(p.object->address)->word == 0; }
bool is_taken(const Pending& p) { return !is_free(p); }

Object& mutex_object(heddle_mutex* mutex, Place place) {
  Object& o = go_object(mutex, sizeof *mutex, mutex->tag, Family::go_mutex, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<GoMutexState>() = {.owner = 0, .last_unlock_event = kNoEvent, .changes_hands = false};
  }
  return o;
}

void acquire(heddle_mutex* mutex, Object& o, Pending& p, Outcome outcome) {
  GoMutexState& s = o.as<GoMutexState>();
  mutex->word = 1;
  s.owner = current_thread()->index + 1;
  o.holder = s.changes_hands ? 0 : s.owner;
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_unlock_event});
}

}  // namespace

Object& go_object(void* address, size_t size, uint32_t& tag, Family family, Place place) {
  asan_check(address, size, false, place.pc, place.frame);
  Engine& e = engine();
  Object* o = &e.object(reinterpret_cast<uintptr_t>(address), family, place);
  if (o->modelled && tag != o->index) {
    e.forget_object(o->address);
    o = &e.object(reinterpret_cast<uintptr_t>(address), family, place);
  }
  tag = o->index;
  return *o;
}

bool go_mutex_lock(heddle_mutex* mutex, bool only_try, Place place) {
  Object& o = mutex_object(mutex, place);
  Engine& e = engine();
  if (!only_try) {
    acquire(mutex, o, e.arrive({.kind = Kind::mutex_lock, .object = &o, .place = place, .may_go = is_free}), Outcome::none);
    return true;
  }
  OpSpec spec{.kind = Kind::mutex_trylock, .object = &o, .place = place};
  prefer_outcome(spec, is_free, is_taken);
  Pending& p = e.arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (mutex->word == 0) {
    p.event_flags |= flags;
    acquire(mutex, o, p, Outcome::success);
    return true;
  }
  e.commit(p, {.outcome = Outcome::failure, .partner = o.last_acquire_event, .choice = 1, .flags = flags, .stored = false});
  return false;
}

bool go_mutex_unlock(heddle_mutex* mutex, Place place) {
  Object& o = mutex_object(mutex, place);
  Engine& e = engine();
  GoMutexState& s = o.as<GoMutexState>();
  Pending& p = e.arrive({.kind = Kind::mutex_unlock, .object = &o, .place = place});
  if (mutex->word == 0) {
    e.misuse(FindingType::unlock_not_locked, &o, place);
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    return false;
  }
  const bool foreign = s.owner != current_thread()->index + 1;
  s.changes_hands |= foreign;
  mutex->word = 0;
  s.owner = 0;
  o.holder = 0;
  s.last_unlock_event = e.commit(p, {.flags = static_cast<uint8_t>(foreign ? kEventForeign : 0)});
  return true;
}

}  // namespace heddle::rt::primitives
