#include "primitives/stream.h"

#include "base/asan.h"
#include "primitives/outcome.h"
#include "trace/file_event.h"

namespace heddle::rt::primitives {
namespace {

struct StreamState {
  uint32_t user;   // the first thread that came, index + 1
  bool shared;     // another one has come since
  uint32_t owner;  // of the lock, index + 1; 0: free
  uint32_t depth;
  uint32_t last_unlock_event;
};

StreamState& state_of(Object& o) { return o.as<StreamState>(); }
StreamState& state_of(const Pending& p) { return state_of(*p.object); }

bool is_free(const Pending& p) { return state_of(p).owner == 0; }
bool is_taken(const Pending& p) { return !is_free(p); }

uint32_t me() { return current_thread()->index + 1; }
bool held_by_another(const StreamState& s) { return s.owner != 0 && s.owner != me(); }

// `first`: this is the first use of the stream.
Object& stream_object(const void* stream, Place place, bool* first = nullptr) {
  constexpr size_t kFirstWord = sizeof(int);
  asan_check(stream, kFirstWord, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(stream), Family::files, place);
  StreamState& s = state_of(o);
  if (!o.modelled) {
    o.modelled = true;
    if (first != nullptr) *first = true;
    o.label = kLabelOfStream;
    s.user = me();
    s.last_unlock_event = kNoEvent;
  }
  s.shared = s.shared || s.user != me();
  return o;
}

void acquire(Object& o, Pending& p, Outcome outcome) {
  StreamState& s = state_of(o);
  s.owner = o.holder = me();
  s.depth = 1;
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_unlock_event});
}

void reenter(Object& o, Kind kind, Place place) {
  Pending& p = engine().arrive({.kind = kind, .object = &o, .place = place});
  ++state_of(o).depth;
  engine().commit(p, {.flags = kEventRecursive, .stored = false});
}

// A call holds libc's lock for its duration. If another thread holds the stream's lock, the call waits as a lock operation does, and
// releases the lock at once.
void pass_lock(Object& o, Place place) {
  if (!held_by_another(state_of(o))) return;
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::mutex_lock, .object = &o, .place = place, .may_go = is_free});
  e.commit(p, {.partner = state_of(o).last_unlock_event});
  e.announce({.kind = Kind::annotated_unlock, .object = &o, .place = place}, {});
}

}  // namespace

uint32_t stream_call(const void* stream, Kind kind, uint32_t state, Place place) {
  bool first = false;
  Object& o = stream_object(stream, place, &first);
  if (!state_of(o).shared && !first) return kNoEvent;
  Engine& e = engine();
  Pending& p = e.arrive({.kind = kind, .object = &o, .place = place});
  const uint32_t event = e.commit(p, {.value = state, .partner = o.last_write_event});
  // If the stream was closed meanwhile, this finds another object, or none.
  pass_lock(stream_object(stream, place), place);
  return event;
}

void stream_waits(const void* stream, Place place) {
  Object* const o = engine().find_object(reinterpret_cast<uintptr_t>(stream));
  if (o != nullptr && o->family == Family::files) pass_lock(*o, place);
}

void stream_lock(const void* stream, Place place) {
  Object& o = stream_object(stream, place);
  if (state_of(o).owner == me()) return reenter(o, Kind::mutex_lock, place);
  acquire(o, engine().arrive({.kind = Kind::mutex_lock, .object = &o, .place = place, .may_go = is_free}), Outcome::none);
}

bool stream_trylock(const void* stream, Place place) {
  Object& o = stream_object(stream, place);
  const StreamState& s = state_of(o);
  if (s.owner == me()) {
    reenter(o, Kind::mutex_trylock, place);
    return true;
  }
  OpSpec spec{.kind = Kind::mutex_trylock, .object = &o, .place = place};
  prefer_outcome(spec, is_free, is_taken);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (s.owner == 0) {
    p.event_flags |= flags;
    acquire(o, p, Outcome::success);
    return true;
  }
  engine().commit(p, {.outcome = Outcome::failure, .partner = o.last_acquire_event, .choice = 1, .flags = flags, .stored = false});
  return false;
}

void streams_forget_locks() {
  for (uint32_t i = 1; i < engine().object_count(); ++i) {
    Object& o = engine().object_at(i);
    if (o.family != Family::files || !o.modelled || state_of(o).owner == 0) continue;
    state_of(o).owner = o.holder = 0;
    state_of(o).depth = 0;
  }
}

void stream_unlock(const void* stream, Place place) {
  Object& o = stream_object(stream, place);
  StreamState& s = state_of(o);
  Engine& e = engine();
  if (s.owner != me()) {
    if (s.owner == 0) e.misuse(FindingType::unlock_not_locked, &o, place);
    else e.misuse(FindingType::unlock_not_owner, &o, place, s.owner - 1, o.last_acquire_event);
    return;
  }
  Pending& p = e.arrive({.kind = Kind::mutex_unlock, .object = &o, .place = place});
  if (--s.depth != 0) {
    e.commit(p, {.flags = kEventRecursive, .stored = false});
    return;
  }
  s.owner = o.holder = 0;
  s.last_unlock_event = e.commit(p, {});
}

}  // namespace heddle::rt::primitives
