// sync.RWMutex. A thread calls lock() when the operation has its turn, and not when it arrives there: only from then on a waiting writer stops
// readers, and only a reader that waits by then gets in at an unlock. So the operations arrive without may_go, and wait in a queue of their own.
#include "primitives/go_lock.h"
#include "primitives/outcome.h"

namespace heddle::rt::primitives {
namespace {

// On the stack of the thread that waits.
struct GoWaiter {
  Pending* op;
  GoWaiter* next;
  bool granted;  // a reader: it holds the lock
};

struct GoRwState {
  static constexpr uint32_t kReaders = 8;

  GoWaiter* readers;  // that wait
  GoWaiter* writers;
  uint32_t last_unlock_event;
  uint32_t last_write_unlock_event;
  uint32_t writer;    // thread index + 1; 0: none, or from before the execution
  uint16_t reader[kReaders];  // those that hold it, thread index + 1, as far as there is room; 0: free
  bool changes_hands;
};
static_assert(Engine::kMaxThreads < 0xFFFF);

heddle_rw_mutex& mutex_of(const Pending& p) { return *reinterpret_cast<heddle_rw_mutex*>(p.object->address); }

bool granted(const Pending& p) { return reinterpret_cast<const GoWaiter*>(p.detail)->granted; }
bool none_announced(const Pending& p) { return mutex_of(p).announced == 0; }
bool none_reads(const Pending& p) { return mutex_of(p).readers == 0; }
bool may_read(const Pending& p) { return none_announced(p); }
bool may_not_read(const Pending& p) { return !may_read(p); }
bool may_write(const Pending& p) { return none_announced(p) && none_reads(p); }
bool may_not_write(const Pending& p) { return !may_write(p); }

Object& rw_mutex_object(heddle_rw_mutex* mutex, Place place) {
  Object& o = go_object(mutex, sizeof *mutex, mutex->tag, Family::go_rw_mutex, place);
  if (!o.modelled) {
    o.modelled = true;
    GoRwState& s = o.as<GoRwState>();
    s = {};
    s.last_unlock_event = s.last_write_unlock_event = kNoEvent;
  }
  return o;
}

uint16_t* entry_of(GoRwState& s, uint32_t owner) {
  for (uint16_t& r : s.reader) {
    if (r == owner) return &r;
  }
  return nullptr;
}

// The writer, or one of the readers: for the wait-for graph.
void name_holder(Object& o) {
  GoRwState& s = o.as<GoRwState>();
  o.holder = s.writer;
  for (const uint16_t r : s.reader) {
    if (r != 0) o.holder = r;
  }
  if (s.changes_hands) o.holder = 0;
}

void add_reader(heddle_rw_mutex& mutex, Object& o, uint32_t thread) {
  ++mutex.readers;
  if (uint16_t* free = entry_of(o.as<GoRwState>(), 0)) *free = static_cast<uint16_t>(thread + 1);
  name_holder(o);
}

void append(GoWaiter*& queue, GoWaiter& waiter) {
  GoWaiter** end = &queue;
  while (*end != nullptr) end = &(*end)->next;
  *end = &waiter;
}
void remove(GoWaiter*& queue, const GoWaiter& waiter) {
  GoWaiter** at = &queue;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
}
void wake_all(GoWaiter* queue) {
  for (GoWaiter* w = queue; w != nullptr; w = w->next) engine().wake(*w->op);
}

void wait(Pending& p, GoWaiter*& queue, MayGo may_go) {
  GoWaiter waiter{&p, nullptr, false};
  p.detail = reinterpret_cast<uintptr_t>(&waiter);
  append(queue, waiter);
  engine().park(p, may_go, kNever, false, false);
  if (!waiter.granted) remove(queue, waiter);
}

void read_locked(Object& o, Pending& p, Outcome outcome) {
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = o.as<GoRwState>().last_write_unlock_event});
}

void write_locked(heddle_rw_mutex& mutex, Object& o, Pending& p, Outcome outcome) {
  GoRwState& s = o.as<GoRwState>();
  mutex.announced = mutex.writing = 1;
  s.writer = current_thread()->index + 1;
  name_holder(o);
  o.last_acquire_event = engine().commit(p, {.outcome = outcome, .partner = s.last_unlock_event});
}

bool try_lock(heddle_rw_mutex& mutex, Object& o, bool write, Place place) {
  OpSpec spec{.kind = write ? Kind::rwlock_trywrlock : Kind::rwlock_tryrdlock, .object = &o, .place = place};
  prefer_outcome(spec, write ? may_write : may_read, write ? may_not_write : may_not_read);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (write ? may_write(p) : may_read(p)) {
    p.event_flags |= flags;
    if (write) {
      write_locked(mutex, o, p, Outcome::success);
    } else {
      add_reader(mutex, o, current_thread()->index);
      read_locked(o, p, Outcome::success);
    }
    return true;
  }
  engine().commit(p, {.outcome = Outcome::failure, .partner = o.last_acquire_event, .choice = 1, .flags = flags, .stored = false});
  return false;
}

// False: it is not locked so.
bool take_reader_off(heddle_rw_mutex& mutex, Object& o, bool& foreign) {
  GoRwState& s = o.as<GoRwState>();
  if (mutex.readers == 0) return false;
  uint32_t named = 0;
  for (const uint16_t r : s.reader) named += r != 0;
  uint16_t* const entry = entry_of(s, current_thread()->index + 1);
  foreign = entry == nullptr && named == mutex.readers;
  --mutex.readers;
  if (entry != nullptr) *entry = 0;
  return true;
}

// All readers that wait get in: the next writer waits for them.
bool take_writer_off(heddle_rw_mutex& mutex, Object& o, bool& foreign) {
  GoRwState& s = o.as<GoRwState>();
  if (mutex.writing == 0) return false;
  foreign = s.writer != current_thread()->index + 1;
  s.writer = 0;
  mutex.announced = mutex.writing = 0;
  for (GoWaiter* w = s.readers; w != nullptr; w = w->next) {
    w->granted = true;
    add_reader(mutex, o, w->op->thread_index);
  }
  return true;
}

}  // namespace

bool go_rw_mutex_lock(heddle_rw_mutex* mutex, Access access, bool only_try, Place place) {
  Object& o = rw_mutex_object(mutex, place);
  GoRwState& s = o.as<GoRwState>();
  const bool write = access == Access::write;
  if (only_try) return try_lock(*mutex, o, write, place);
  Pending& p = engine().arrive({.kind = write ? Kind::rwlock_wrlock : Kind::rwlock_rdlock, .object = &o, .place = place});
  if (!write) {
    if (mutex->announced != 0) wait(p, s.readers, granted);
    else add_reader(*mutex, o, current_thread()->index);
    read_locked(o, p, Outcome::none);
    return true;
  }
  while (mutex->announced != 0) wait(p, s.writers, none_announced);
  mutex->announced = 1;
  engine().touched(o);  // attempts that would now fail
  if (mutex->readers != 0) wait(p, s.writers, none_reads);
  write_locked(*mutex, o, p, Outcome::none);
  return true;
}

bool go_rw_mutex_unlock(heddle_rw_mutex* mutex, Access access, Place place) {
  Object& o = rw_mutex_object(mutex, place);
  Engine& e = engine();
  GoRwState& s = o.as<GoRwState>();
  const bool write = access == Access::write;
  Pending& p = e.arrive({.kind = Kind::rwlock_unlock, .object = &o, .place = place});
  bool foreign = false;
  if (!(write ? take_writer_off(*mutex, o, foreign) : take_reader_off(*mutex, o, foreign))) {
    const char* const detail = write ? "it is not locked for writing" : "it is not locked for reading";
    if (mutex->readers == 0 && mutex->writing == 0) e.misuse(FindingType::unlock_not_locked, &o, place);
    else e.misuse(FindingType::unlock_not_owner, &o, place, o.holder != 0 ? o.holder - 1 : kNoEvent, o.last_acquire_event, detail);
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    return false;
  }
  s.changes_hands |= foreign;
  name_holder(o);
  GoWaiter* const admitted = write ? s.readers : nullptr;
  if (write) s.readers = nullptr;
  s.last_unlock_event = e.commit(p, {.flags = static_cast<uint8_t>(foreign ? kEventForeign : 0)});
  if (write) s.last_write_unlock_event = s.last_unlock_event;
  wake_all(admitted);
  wake_all(s.writers);
  return true;
}

}  // namespace heddle::rt::primitives
