#include "primitives/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/held_file_locks.h"
#include "primitives/outcome.h"
#include "restore/restored_modules.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

struct LockState {
  uint32_t last_unlock_event;
  uint32_t last_exclusive_unlock_event;
};

constinit HeldFileLocks g_held;
constinit bool g_registered = false;

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

// A number for the file, in the form of an address that no memory has. 0: not available.
uintptr_t file_behind(const FileLock& lock) {
  struct stat file;
  if (raw_syscall(SYS_fstat, word(lock.descriptor), word(&file)) != 0) return 0;
  constexpr uintptr_t kNoMemory = uintptr_t{1} << 62;
  return (mix(mix(file.st_dev, file.st_ino), lock.of_bytes) & (kNoMemory - 1)) | kNoMemory;
}

void given_back(Object& o, Pending& p, bool exclusive) {
  LockState& s = o.as<LockState>();
  s.last_unlock_event = engine().commit(p, {});
  if (exclusive) s.last_exclusive_unlock_event = s.last_unlock_event;
}

// Locks that the execution leaves behind must not affect the next execution.
void let_go() {
  for (const HeldFileLock& h : g_held) {
    if (!keeps_everything()) give(h.lock);
  }
  g_held.clear();
}

void initialise() {
  if (g_registered) return;
  g_registered = true;
  g_held.initialise();
  add_observer({"file locks", nullptr, nullptr, let_go});
}

Object* lock_object(const FileLock& lock, Place place) {
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

bool may_lock(const Pending& p) { return !g_held.in_the_way(*p.object, *reinterpret_cast<const FileLock*>(p.detail)); }
bool may_not_lock(const Pending& p) { return !may_lock(p); }
bool always(const Pending&) { return true; }
bool never(const Pending&) { return false; }

// Tries until no thread holds the lock, or until the kernel gives a final answer.
long lock_in_turn(Pending& p, const FileLock& lock, bool waits) {
  for (bool at_end = false;; at_end = p.asked_at_end) {
    const bool known = may_not_lock(p);
    const long result = take(lock, at_end && !known);
    if (result != -EAGAIN || !waits) return result;
    // A holder may have lost the lock without a shim noticing. So the kernel is asked once more before this counts as a deadlock.
    p.asks_at_end = !(known && at_end);
    engine().park(p, known ? may_lock : never, kNever, false, false);
    if (file_behind(lock) != p.object->address) return -EBADF;
  }
}

}  // namespace

long file_lock(const FileLock& lock, bool waits, Place place) {
  Object* const o = lock_object(lock, place);
  if (o == nullptr) return -EBADF;
  // flock releases the description's lock before it waits for the other kind.
  if (!lock.of_bytes && waits && g_held.has(*o, lock, !lock.exclusive)) file_unlock(lock, place);
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
  // Other threads have run. The number may now refer to another file, or to none.
  const long result = file_behind(lock) == o->address ? lock_in_turn(p, lock, waits) : -EBADF;
  if (result == 0) {
    const LockState& s = o->as<LockState>();
    g_held.taken(*o, lock);
    o->last_acquire_event = e.commit(p, {.outcome = waits ? Outcome::none : Outcome::success,
                                         .partner = lock.exclusive ? s.last_unlock_event : s.last_exclusive_unlock_event, .flags = flags});
    return 0;
  }
  const bool gave_other_back = result == -EAGAIN && !lock.of_bytes && g_held.cut(*o, lock);  // as above
  e.commit(p, {.outcome = Outcome::failure, .partner = o->last_acquire_event, .choice = 1, .flags = flags, .stored = gave_other_back});
  return result;
}

long file_unlock(const FileLock& lock, Place place) {
  Object* const o = lock_object(lock, place);
  if (o == nullptr) return -EBADF;
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::rwlock_unlock, .object = o, .place = place});
  const long result = file_behind(lock) == o->address ? give(lock) : -EBADF;
  const bool exclusive = g_held.has(*o, lock, true);
  if (result == 0 && g_held.cut(*o, lock)) given_back(*o, p, exclusive);
  else e.commit(p, {.outcome = result == 0 ? Outcome::none : Outcome::failure, .stored = false});
  return result;
}

void file_locks_close(unsigned first, unsigned last, Place place) {
  while (const HeldFileLock* const found = g_held.of_numbers(first, last)) {
    const HeldFileLock h = *found;
    Pending& p = engine().arrive({.kind = Kind::rwlock_unlock, .object = h.object, .place = place});
    if (file_behind(h.lock) == h.object->address) give(h.lock);
    g_held.cut(*h.object, h.lock);
    given_back(*h.object, p, h.lock.exclusive);
  }
}

void description_duplicated() { g_held.duplicated(); }

}  // namespace heddle::rt::primitives
