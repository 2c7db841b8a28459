#include "primitives/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "engine/program_data.h"
#include "primitives/descriptor.h"
#include "primitives/outcome.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

constexpr size_t kMost = 1 << 16;
constexpr int kNumbers = 1024;  // that are searched for another one of a description

struct LockState {
  uint32_t last_unlock_event;
  uint32_t last_exclusive_unlock_event;
};

// Taken by a thread of the execution.
struct Held {
  Object* object;
  uint32_t thread;
  FileLock lock;
};
constinit ReservedArray<Held> g_held;
constinit bool g_duplicated = false;

// --- the kernel ---------------------------------------------------------------------------------

long set_bytes(const FileLock& lock, short type, bool waits) {
  struct flock bytes = {};
  bytes.l_type = type;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = static_cast<off_t>(lock.first);
  bytes.l_len = lock.last == INT64_MAX ? 0 : static_cast<off_t>(lock.last - lock.first + 1);
  return raw_syscall(SYS_fcntl, word(lock.descriptor), waits ? F_OFD_SETLKW : F_OFD_SETLK, word(&bytes));
}

long take(const FileLock& lock, bool waits) {
  if (lock.of_bytes) return set_bytes(lock, lock.exclusive ? F_WRLCK : F_RDLCK, waits);
  return raw_syscall(SYS_flock, word(lock.descriptor), word((lock.exclusive ? LOCK_EX : LOCK_SH) | (waits ? 0 : LOCK_NB)));
}

long give(const FileLock& lock) {
  return lock.of_bytes ? set_bytes(lock, F_UNLCK, false) : raw_syscall(SYS_flock, word(lock.descriptor), LOCK_UN);
}

// A number for the file, as an address that no memory has; 0: there is none.
uintptr_t file_behind(const FileLock& lock) {
  struct stat file;
  if (raw_syscall(SYS_fstat, word(lock.descriptor), word(&file)) != 0) return 0;
  constexpr uintptr_t kNoMemory = uintptr_t{1} << 62;
  return (mix(mix(file.st_dev, file.st_ino), lock.of_bytes) & (kNoMemory - 1)) | kNoMemory;
}

bool same_description(int a, int b) {
  if (a == b) return true;
  if (!g_duplicated) return false;
  const auto process = static_cast<uintptr_t>(raw_syscall(SYS_getpid));
  return raw_syscall(SYS_kcmp, process, process, KCMP_FILE, word(a), word(b)) == 0;
}

// Of the same description, and not one of those; -1.
int other_number(int number, unsigned first, unsigned last) {
  if (!g_duplicated) return -1;
  // A poll says of all at once which are open.
  static constinit pollfd numbers[kNumbers] = {};
  for (int i = 0; i < kNumbers; ++i) numbers[i] = {i, 0, 0};
  raw_poll(numbers, kNumbers);
  for (int i = 0; i < kNumbers; ++i) {
    const bool closed = (numbers[i].revents & POLLNVAL) != 0 || (static_cast<unsigned>(i) >= first && static_cast<unsigned>(i) <= last);
    if (!closed && same_description(i, number)) return i;
  }
  return -1;
}

// --- what the execution has ---------------------------------------------------------------------

bool overlap(const FileLock& a, const FileLock& b) { return a.first <= b.last && b.first <= a.last; }

bool own(const Held& h, const Object& o, const FileLock& lock) {
  return h.object == &o && overlap(h.lock, lock) && same_description(h.lock.descriptor, lock.descriptor);
}

bool in_the_way(const Held& h, const Object& o, const FileLock& lock) {
  return h.object == &o && (h.lock.exclusive || lock.exclusive) && overlap(h.lock, lock) && !same_description(h.lock.descriptor, lock.descriptor);
}

// One of its holders, for the wait-for graph. Of a lock of bytes it can be told only where there is but one: they may have different bytes.
void note_holder(Object& o) {
  o.holder = 0;
  for (const Held& h : g_held) {
    if (h.object != &o) continue;
    if (h.lock.of_bytes && o.holder != 0 && o.holder != h.thread + 1) {
      o.holder = 0;
      return;
    }
    o.holder = h.thread + 1;
  }
}

template <typename F>
void drop_if(F gone) {
  size_t kept = 0;
  for (size_t i = 0; i < g_held.size(); ++i) {
    if (!gone(g_held[i])) g_held[kept++] = g_held[i];
  }
  g_held.resize(kept);
}

// Of the description's locks only what lies outside of these bytes is left. True: there were some.
bool cut(Object& o, const FileLock& lock) {
  bool any = false;
  for (size_t i = 0, n = g_held.size(); i < n; ++i) {
    const Held h = g_held[i];
    if (!own(h, o, lock)) continue;
    any = true;
    g_held[i].object = nullptr;
    const auto keep = [&](uint64_t first, uint64_t last) {
      if (g_held.full()) return;
      Held& part = g_held.push();
      part = h;
      part.lock.first = first;
      part.lock.last = last;
    };
    if (h.lock.first < lock.first) keep(h.lock.first, lock.first - 1);
    if (h.lock.last > lock.last) keep(lock.last + 1, h.lock.last);
  }
  drop_if([](const Held& h) { return h.object == nullptr; });
  return any;
}

// The kernel has given it: who is in the way here has lost it where no shim has seen it.
void taken(Object& o, const FileLock& lock) {
  drop_if([&](const Held& h) { return in_the_way(h, o, lock); });
  cut(o, lock);
  if (!g_held.full()) g_held.push() = {&o, current_thread()->index, lock};
  note_holder(o);
}

void given_back(Object& o, Pending& p, bool exclusive) {
  note_holder(o);
  LockState& s = o.as<LockState>();
  s.last_unlock_event = engine().commit(p, {});
  if (exclusive) s.last_exclusive_unlock_event = s.last_unlock_event;
}

// What the execution leaves locked is not its successor's affair.
void execution_ended(RunSummary&) {
  for (const Held& h : g_held) {
    if (!keeps_everything()) give(h.lock);
  }
  g_held.clear();
  g_duplicated = false;
}

void initialise() {
  if (g_held.capacity() != 0) return;
  g_held.reserve(kMost);
  add_observer({"file locks", execution_ended});
}

Object* lock_object(const FileLock& lock, const Place& place) {
  initialise();
  const uintptr_t file = file_behind(lock);
  if (file == 0) return nullptr;
  Object& o = engine().object(file, Family::file_lock, place);
  if (!o.modelled) {
    o.modelled = true;
    o.label = lock.of_bytes ? "lock of a file's bytes" : "file lock";
    o.as<LockState>() = {kNoEvent, kNoEvent};
  }
  return &o;
}

// --- who may go ---------------------------------------------------------------------------------

bool may_lock(const Pending& p) {
  const FileLock& lock = *reinterpret_cast<const FileLock*>(p.detail);
  for (const Held& h : g_held) {
    if (in_the_way(h, *p.object, lock)) return false;
  }
  return true;
}
bool may_not_lock(const Pending& p) { return !may_lock(p); }
bool always(const Pending&) { return true; }
bool never(const Pending&) { return false; }

// Until nobody has it, or the kernel says what it has to say.
long lock_in_turn(Pending& p, const FileLock& lock, bool waits) {
  for (bool at_end = false;; at_end = p.gave_up) {
    const bool known = may_not_lock(p);
    const long result = take(lock, at_end && !known);
    if (result != -EAGAIN || !waits) return result;
    // A holder here may have lost it unseen: so the kernel is asked once more before this is a deadlock.
    p.asks_at_end = !(known && at_end);
    engine().park(p, known ? may_lock : never, kNever, false, false);
    if (file_behind(lock) != p.object->address) return -EBADF;
  }
}

}  // namespace

long file_lock(const FileLock& lock, bool waits, const Place& place) {
  Object* const o = lock_object(lock, place);
  if (o == nullptr) return -EBADF;
  // flock gives back what the description has before it waits for the other kind.
  if (!lock.of_bytes && waits) {
    for (const Held& h : g_held) {
      if (!own(h, *o, lock) || h.lock.exclusive == lock.exclusive) continue;
      file_unlock(lock, place);
      break;
    }
  }
  OpSpec spec{.kind = lock.exclusive ? Kind::rwlock_wrlock : Kind::rwlock_rdlock, .object = o, .place = place, .may_go = always,
              .detail = reinterpret_cast<uintptr_t>(&lock)};
  if (!waits) {
    spec.kind = lock.exclusive ? Kind::rwlock_trywrlock : Kind::rwlock_tryrdlock;
    spec.may_go = nullptr;
    prefer_outcome(spec, may_lock, may_not_lock);
  }
  Engine& e = engine();
  Pending& p = e.arrive(spec);
  const uint8_t flags = preference_flag(p);
  // Others have run: the number may name another file now, or none.
  const long result = file_behind(lock) == o->address ? lock_in_turn(p, lock, waits) : -EBADF;
  if (result == 0) {
    const LockState& s = o->as<LockState>();
    taken(*o, lock);
    o->last_acquire_event = e.commit(p, {.outcome = waits ? Outcome::none : Outcome::success,
                                         .partner = lock.exclusive ? s.last_unlock_event : s.last_exclusive_unlock_event, .flags = flags});
    return 0;
  }
  const bool gave_other_back = result == -EAGAIN && !lock.of_bytes && cut(*o, lock);  // as above
  if (gave_other_back) note_holder(*o);
  e.commit(p, {.outcome = Outcome::failure, .partner = o->last_acquire_event, .choice = 1, .flags = flags, .wrote = gave_other_back});
  return result;
}

long file_unlock(const FileLock& lock, const Place& place) {
  Object* const o = lock_object(lock, place);
  if (o == nullptr) return -EBADF;
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::rwlock_unlock, .object = o, .place = place});
  const long result = file_behind(lock) == o->address ? give(lock) : -EBADF;
  bool exclusive = false;
  for (const Held& h : g_held) exclusive = exclusive || (own(h, *o, lock) && h.lock.exclusive);
  if (result == 0 && cut(*o, lock)) given_back(*o, p, exclusive);
  else e.commit(p, {.outcome = result == 0 ? Outcome::none : Outcome::failure, .wrote = false});
  return result;
}

void file_locks_close(unsigned first, unsigned last, const Place& place) {
  const auto closed = [=](int number) { return static_cast<unsigned>(number) >= first && static_cast<unsigned>(number) <= last; };
  for (size_t i = 0; i < g_held.size();) {
    const Held h = g_held[i];
    const int number = h.lock.descriptor;
    if (!closed(number)) {
      ++i;
      continue;
    }
    if (const int other = other_number(number, first, last); other >= 0) {
      g_held[i].lock.descriptor = other;
      continue;
    }
    Pending& p = engine().arrive({.kind = Kind::rwlock_unlock, .object = h.object, .place = place});
    if (file_behind(h.lock) == h.object->address) give(h.lock);
    cut(*h.object, h.lock);
    given_back(*h.object, p, h.lock.exclusive);
    i = 0;  // others have run
  }
}

void description_duplicated() { g_duplicated = true; }

}  // namespace heddle::rt::primitives
