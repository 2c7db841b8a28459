#include "primitives/rwlock.h"

#include <errno.h>

#include "base/asan.h"
#include "primitives/outcome.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kDestroyedTag = 0xDEAD0003;

// Only the first few readers are stored. That is enough to find a wrong unlock in any program that has one with few readers. With more
// readers at a time, the rest are only counted, and no finding is raised.
struct RwlockState {
  static constexpr uint32_t kReaders = 16;

  uint32_t writer;   // thread index + 1; 0: none
  uint32_t readers;  // holds, a thread's second one included
  uint32_t last_unlock_event;
  uint32_t last_write_unlock_event;
  uint32_t waiting_writers;  // threads that wait for the write lock
  uint32_t unnamed;  // holds that `reader` has no room for
  uint16_t reader[kReaders];  // thread index + 1; 0: free
};
static_assert(Engine::kMaxThreads < 0xFFFF);

// The entry of this owner (thread index + 1), or a free entry for 0.
uint16_t* entry_of(RwlockState& s, uint32_t owner) {
  for (uint16_t& r : s.reader) {
    if (r == owner) return &r;
  }
  return nullptr;
}

// __pad3: glibc neither reads nor writes it.
unsigned& tag_of(pthread_rwlock_t* l) { return l->__data.__pad3; }

bool prefers_writers(const pthread_rwlock_t* l) { return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }

RwlockState& state_of(const Pending& p) { return p.object->as<RwlockState>(); }

bool may_write(const Pending& p) { return state_of(p).writer == 0 && state_of(p).readers == 0; }

bool may_read(const Pending& p) {
  if (state_of(p).writer != 0) return false;
  if (state_of(p).readers == 0 || state_of(p).waiting_writers == 0) return true;
  return !prefers_writers(reinterpret_cast<pthread_rwlock_t*>(p.object->address));
}

bool may_not_write(const Pending& p) { return !may_write(p); }
bool may_not_read(const Pending& p) { return !may_read(p); }

bool never(const Pending&) { return false; }

Object& rwlock_object(pthread_rwlock_t* lock, Place place) {
  asan_check(lock, sizeof *lock, false, place.pc, place.frame);
  Engine& e = engine();
  Object* o = &e.object(reinterpret_cast<uintptr_t>(lock), Family::rwlock, place);
  const uint32_t expected = o->destroyed ? kDestroyedTag : o->index;
  if (tag_of(lock) != expected && o->modelled) {
    e.forget_object(o->address);  // the memory was overwritten: it now holds another lock
    o = &e.object(reinterpret_cast<uintptr_t>(lock), Family::rwlock, place);
  }
  if (!o->modelled) {
    tag_of(lock) = o->index;
    o->modelled = true;
    o->as<RwlockState>().last_unlock_event = kNoEvent;
    o->as<RwlockState>().last_write_unlock_event = kNoEvent;
  }
  e.check_alive(*o, place);
  return *o;
}

void acquire(Object& o, Pending& p, Access access, Outcome outcome) {
  RwlockState& s = o.as<RwlockState>();
  const uint32_t thread = current_thread()->index;
  if (access == Access::write) {
    s.writer = thread + 1;
    o.holder = s.writer;
    o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_unlock_event});
    return;
  }
  ++s.readers;
  if (uint16_t* slot = entry_of(s, 0)) *slot = static_cast<uint16_t>(thread + 1);
  else ++s.unnamed;
  o.holder = thread + 1;  // one of them, for the wait-for graph
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_write_unlock_event});
}

bool write_held_by_current(Object& o) { return o.as<RwlockState>().writer == current_thread()->index + 1; }

}  // namespace

void rwlock_hand_over(Object& o, uint32_t from, uint32_t to) {
  RwlockState& s = o.as<RwlockState>();
  if (s.writer == from + 1) s.writer = to + 1;
  for (uint16_t& r : s.reader) {
    if (r == from + 1) r = static_cast<uint16_t>(to + 1);
  }
  if (o.holder == from + 1) o.holder = to + 1;
}

void rwlock_init(pthread_rwlock_t* lock, Place place) {
  if (engine().initialised(reinterpret_cast<uintptr_t>(lock))) engine().touched(rwlock_object(lock, place));
}

int rwlock_destroy(pthread_rwlock_t* lock, Place place) {
  Object& o = rwlock_object(lock, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::rwlock_destroy, .object = &o, .place = place});
  const RwlockState& s = o.as<RwlockState>();
  if (s.writer != 0 || s.readers != 0 || o.pending_head != nullptr) {
    e.misuse(FindingType::destroy_held, &o, place, o.holder != 0 ? o.holder - 1 : kNoEvent, o.last_acquire_event);
  }
  o.destroyed = true;
  tag_of(lock) = kDestroyedTag;
  o.destroy_event = e.commit(p, {});
  return 0;
}

int rwlock_lock(pthread_rwlock_t* lock, Access access, uint64_t deadline, Place place) {
  Object& o = rwlock_object(lock, place);
  Engine& e = engine();
  RwlockState& s = o.as<RwlockState>();
  const bool write = access == Access::write;
  OpSpec spec{.kind = write ? Kind::rwlock_wrlock : Kind::rwlock_rdlock, .object = &o, .place = place,
              .may_go = write ? may_write : may_read, .deadline = deadline};
  if (write_held_by_current(o)) {
    e.misuse(FindingType::double_lock, &o, place, current_thread()->index, o.last_acquire_event);
    return EDEADLK;
  }
  if (write && deadline == kNever && entry_of(s, current_thread()->index + 1) != nullptr) {
    e.misuse(FindingType::double_lock, &o, place, current_thread()->index, o.last_acquire_event,
             "a read lock cannot be upgraded to a write lock");
    spec.may_go = never;  // it waits for its own read lock
  }
  if (write) {
    ++s.waiting_writers;
    e.touched(o);  // readers that would now have to wait behind it
  }
  uint8_t flags;
  Pending& p = arrive_timed(spec, write ? may_not_write : may_not_read, flags);
  if (write && s.waiting_writers != 0) --s.waiting_writers;  // 0: the lock was initialised meanwhile
  if (p.timed_out) {
    e.commit(p, {.outcome = Outcome::timeout, .choice = 1, .flags = flags, .stored = false});
    return ETIMEDOUT;
  }
  p.event_flags |= flags;
  acquire(o, p, access, deadline == kNever ? Outcome::none : Outcome::success);
  return 0;
}

int rwlock_trylock(pthread_rwlock_t* lock, Access access, Place place) {
  Object& o = rwlock_object(lock, place);
  const bool write = access == Access::write;
  OpSpec spec{.kind = write ? Kind::rwlock_trywrlock : Kind::rwlock_tryrdlock, .object = &o, .place = place};
  prefer_outcome(spec, write ? may_write : may_read, write ? may_not_write : may_not_read);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (write ? may_write(p) : may_read(p)) {
    p.event_flags |= flags;
    acquire(o, p, access, Outcome::success);
    return 0;
  }
  engine().commit(p, {.outcome = Outcome::failure, .partner = o.last_acquire_event, .choice = 1, .flags = flags, .stored = false});
  return EBUSY;
}

int rwlock_unlock(pthread_rwlock_t* lock, Place place) {
  Object& o = rwlock_object(lock, place);
  Engine& e = engine();
  RwlockState& s = o.as<RwlockState>();
  const uint32_t thread = current_thread()->index;
  const bool writer = write_held_by_current(o);
  if (!writer && entry_of(s, thread + 1) == nullptr && s.unnamed == 0) {
    if (s.writer == 0 && s.readers == 0) e.misuse(FindingType::unlock_not_locked, &o, place);
    else e.misuse(FindingType::unlock_not_owner, &o, place, o.holder != 0 ? o.holder - 1 : kNoEvent, o.last_acquire_event);
    return EPERM;
  }
  Pending& p = e.arrive({.kind = Kind::rwlock_unlock, .object = &o, .place = place});
  if (writer) {
    s.writer = 0;
    o.holder = 0;
  } else {
    --s.readers;
    if (uint16_t* slot = entry_of(s, thread + 1)) *slot = 0;
    else --s.unnamed;
    if (o.holder == thread + 1) {
      o.holder = 0;
      for (const uint16_t r : s.reader) {
        if (r != 0) o.holder = r;
      }
    }
  }
  s.last_unlock_event = e.commit(p, {});
  if (writer) s.last_write_unlock_event = s.last_unlock_event;
  return 0;
}

}  // namespace heddle::rt::primitives
