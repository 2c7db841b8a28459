#include "primitives/annotation.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint8_t kEverything = kIgnoreReads | kIgnoreWrites | kIgnoreOrder;

// Only the first few readers are stored, as for read-write locks. They are needed to name a holder.
struct LockState {
  static constexpr uint32_t kReaders = 12;

  uint32_t writer;   // thread index + 1; 0: none
  uint32_t depth;
  uint32_t readers;  // holds
  uint32_t flags;    // of its creation
  uint32_t last_unlock_event;
  bool known;        // taken or created since the execution began. Until then, a thread may hold it from before
  bool broken;       // held by two threads according to the annotations. No more findings about this lock
  uint16_t reader[kReaders];  // thread index + 1; 0: free
};
static_assert(Engine::kMaxThreads < 0xFFFF);

Object& lock_object(uintptr_t address, Place place) {
  Object& o = engine().annotated_object(address, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<LockState>().last_unlock_event = kNoEvent;
  }
  return o;
}

uint32_t self() { return current_thread()->index + 1; }

uint16_t* reader_entry(LockState& s, uint32_t owner) {
  for (uint16_t& r : s.reader) {
    if (r == owner) return &r;
  }
  return nullptr;
}

void name_holder(Object& o) {
  const LockState& s = o.as<LockState>();
  o.holder = s.writer;
  for (const uint16_t r : s.reader) {
    if (o.holder == 0) o.holder = r;
  }
}

void taken_to_write(Object& o, uint32_t levels, Place place) {
  LockState& s = o.as<LockState>();
  const bool again = s.writer == self();
  if (s.writer != 0 && !again) s.broken = true;
  s.depth = again ? s.depth + levels : levels;
  s.writer = self();
  s.known = true;
  o.holder = s.writer;
  const uint8_t flags = again ? kEventRecursive : 0;
  const uint32_t event = engine().announce({.kind = Kind::annotated_lock, .object = &o, .place = place},
                                           {.partner = s.last_unlock_event, .flags = flags});
  if (!again) o.last_acquire_event = event;
}

void taken_to_read(Object& o, Place place) {
  LockState& s = o.as<LockState>();
  ++s.readers;
  s.known = true;
  if (uint16_t* entry = reader_entry(s, 0)) *entry = static_cast<uint16_t>(self());
  name_holder(o);
  o.last_acquire_event = engine().announce({.kind = Kind::annotated_rdlock, .object = &o, .place = place}, {.partner = s.last_unlock_event});
}

void given_back_to_write(Object& o, uint32_t levels, Place place) {
  LockState& s = o.as<LockState>();
  const bool held_still = s.writer == self() && s.depth > levels;
  s.depth = held_still ? s.depth - levels : 0;
  if (!held_still) s.writer = 0;
  name_holder(o);
  const uint8_t flags = held_still ? kEventRecursive : 0;
  const uint32_t event = engine().announce({.kind = Kind::annotated_unlock, .object = &o, .place = place}, {.flags = flags});
  if (!held_still) s.last_unlock_event = event;
}

void given_back_to_read(Object& o, Place place) {
  LockState& s = o.as<LockState>();
  if (s.readers != 0) --s.readers;
  if (uint16_t* entry = reader_entry(s, self())) *entry = 0;
  name_holder(o);
  s.last_unlock_event = engine().announce({.kind = Kind::annotated_rdunlock, .object = &o, .place = place}, {});
}

}  // namespace

void order_release(uintptr_t address, Place place) {
  engine().announce({.kind = Kind::order_release, .object = &lock_object(address, place), .place = place}, {});
}

void order_acquire(uintptr_t address, Place place) {
  engine().announce({.kind = Kind::order_acquire, .object = &lock_object(address, place), .place = place}, {});
}

void lock_create(uintptr_t lock, unsigned flags, Place place) {
  engine().forget_annotated(lock);
  LockState& s = lock_object(lock, place).as<LockState>();
  s.flags = flags;
  s.known = true;
}

bool lock_destroy(uintptr_t lock, unsigned flags, Place place) {
  Object* o = engine().find_annotated(lock);
  if (o == nullptr) return false;
  const LockState& s = o->as<LockState>();
  if (((flags | s.flags) & kLinkerInitialised) || ((flags & kNotStatic) && !(s.flags & kNotStatic))) return false;
  if (o->holder != 0 && !s.broken) {
    engine().misuse(FindingType::destroy_held, o, place, o->holder - 1, o->last_acquire_event);
  }
  engine().forget_annotated(lock);
  return true;
}

void lock_begin(uintptr_t lock, unsigned flags, Place place) {
  Object& o = lock_object(lock, place);
  LockState& s = o.as<LockState>();
  Thread& t = *current_thread();
  s.flags |= flags & (kLinkerInitialised | kWriteReentrant | kReadReentrant | kNotStatic);
  if (!(flags & kTryLock)) {
    if (s.writer == self() && !(flags & kReadLock) && !(s.flags & kWriteReentrant) && !s.broken) {
      engine().misuse(FindingType::double_lock, &o, place, t.index, o.last_acquire_event);
    }
    if (t.locking_count < Locking::kMost) t.locking[t.locking_count++] = {o.index, flags & kReadLock ? Kind::annotated_rdlock : Kind::annotated_lock};
  }
  t.ignored.begin(kEverything);
}

void lock_end(uintptr_t lock, unsigned flags, int recursion, Place place) {
  Thread& t = *current_thread();
  t.ignored.end(kEverything);
  if (flags & kTryLockFailed) return;
  Object& o = lock_object(lock, place);
  for (uint8_t i = 0; i < t.locking_count; ++i) {
    if (t.locking[i].object == o.index) t.locking_count = i;
  }
  o.as<LockState>().flags |= flags & (kLinkerInitialised | kWriteReentrant | kReadReentrant | kNotStatic);
  if (flags & kReadLock) return taken_to_read(o, place);
  taken_to_write(o, (flags & kRecursiveLock) && recursion > 1 ? static_cast<uint32_t>(recursion) : 1, place);
}

int unlock_begin(uintptr_t lock, unsigned flags, Place place) {
  Object& o = lock_object(lock, place);
  LockState& s = o.as<LockState>();
  int levels = 0;
  if (s.known && !s.broken) {
    const bool read = (flags & kReadLock) != 0;
    if (read ? s.readers == 0 : s.writer == 0) {
      engine().misuse(FindingType::unlock_not_locked, &o, place);
    } else if (!read && s.writer != self()) {
      engine().misuse(FindingType::unlock_not_owner, &o, place, s.writer - 1, o.last_acquire_event);
    }
  }
  if (flags & kReadLock) {
    given_back_to_read(o, place);
  } else {
    if (flags & kRecursiveUnlock) levels = static_cast<int>(s.depth);
    given_back_to_write(o, levels > 1 ? static_cast<uint32_t>(levels) : 1, place);
  }
  current_thread()->ignored.begin(kEverything);
  return levels;
}

void unlock_end() { current_thread()->ignored.end(kEverything); }

void lock_diverts(bool away) {
  Thread& t = *current_thread();
  if (away) t.ignored.end(kEverything);
  else t.ignored.begin(kEverything);
}

void lock_acquired(uintptr_t lock, bool write, Place place) {
  Object& o = lock_object(lock, place);
  if (write) taken_to_write(o, 1, place);
  else taken_to_read(o, place);
}

void lock_released(uintptr_t lock, bool write, Place place) {
  Object& o = lock_object(lock, place);
  if (write) given_back_to_write(o, 1, place);
  else given_back_to_read(o, place);
}

}  // namespace heddle::rt::primitives
