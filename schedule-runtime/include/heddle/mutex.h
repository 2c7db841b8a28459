// Locks as Go has them: sync.Mutex, sync.RWMutex and sync.Cond.
//
//   heddle::rw_mutex lock;
//   { const std::shared_lock reading(lock);  use(table); }
//   { const std::lock_guard writing(lock);   change(table); }
//
// They differ from the standard library's as Go's do:
//
//   - A lock belongs to no thread: one thread can lock it, and another one can unlock it. A thread
//     that locks a mutex which it has locked itself waits, until another thread unlocks it.
//   - The unlock of a lock that is not locked ends the program ("fatal error" in Go). In an
//     execution of a fuzz target it is a finding.
//   - rw_mutex: a writer that waits stops new readers, and readers that waited for a writer get in
//     before the next one. So a thread that holds it for reading must not lock it for reading again:
//     if a writer has come in between, both wait without end. std::shared_mutex lets that reader in,
//     and hides the bug.
//   - cond: a wait never wakes spuriously. A notification wakes any one of the threads that wait.
//
// An unlock happens before the return of a later lock(). A try_lock() that fails orders nothing. A
// lock cannot be copied. It works with std::lock_guard, unique_lock, scoped_lock and shared_lock.
#ifndef HEDDLE_MUTEX_H_
#define HEDDLE_MUTEX_H_

#include <heddle/detail/lock_real.h>
#include <heddle/heddle.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>

namespace heddle {

namespace detail {
[[noreturn]] HEDDLE_UNSEEN inline void fatal_error(const char* text) {
  std::fputs(text, stderr);
  std::abort();
}
}  // namespace detail

class mutex {
 public:
  HEDDLE_UNSEEN constexpr mutex() noexcept : state_{} {}
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  [[gnu::noinline]] HEDDLE_UNSEEN void lock() { lock_at(HEDDLE_CALLER); }
  // False: it is locked.
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_lock() {
    if (!under_control()) return detail::real::mutex_try_lock(state_);
    const detail::Caller caller = HEDDLE_CALLER;
    return heddle_mutex_lock(&state_, 1, caller.pc, caller.frame) != 0;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void unlock() { unlock_at(HEDDLE_CALLER); }

 private:
  friend class cond;
  HEDDLE_UNSEEN void lock_at(detail::Caller caller) {
    if (under_control()) heddle_mutex_lock(&state_, 0, caller.pc, caller.frame);
    else detail::real::mutex_lock(state_);
  }
  HEDDLE_UNSEEN void unlock_at(detail::Caller caller) {
    const bool locked = under_control()
                            ? heddle_mutex_unlock(&state_, caller.pc, caller.frame) == 0
                            : detail::real::mutex_unlock(state_);
    if (!locked) detail::fatal_error("heddle: fatal error: unlock of an unlocked mutex\n");
  }

  heddle_mutex state_;
};

class rw_mutex {
 public:
  HEDDLE_UNSEEN constexpr rw_mutex() noexcept : state_{} {}
  rw_mutex(const rw_mutex&) = delete;
  rw_mutex& operator=(const rw_mutex&) = delete;

  // For writing.
  [[gnu::noinline]] HEDDLE_UNSEEN void lock() { lock_at(true, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_lock() { return try_lock_at(true, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN void unlock() { unlock_at(true, HEDDLE_CALLER); }
  // For reading.
  [[gnu::noinline]] HEDDLE_UNSEEN void lock_shared() { lock_at(false, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_lock_shared() {
    return try_lock_at(false, HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void unlock_shared() { unlock_at(false, HEDDLE_CALLER); }

 private:
  friend class cond;
  HEDDLE_UNSEEN void lock_at(bool write, detail::Caller caller) {
    if (!under_control()) detail::real::rw_mutex_lock(state_, write, false);
    else heddle_rw_mutex_lock(&state_, write ? 1 : 0, 0, caller.pc, caller.frame);
  }
  HEDDLE_UNSEEN bool try_lock_at(bool write, detail::Caller caller) {
    if (!under_control()) return detail::real::rw_mutex_lock(state_, write, true);
    return heddle_rw_mutex_lock(&state_, write ? 1 : 0, 1, caller.pc, caller.frame) != 0;
  }
  HEDDLE_UNSEEN void unlock_at(bool write, detail::Caller caller) {
    const bool locked =
        under_control()
            ? heddle_rw_mutex_unlock(&state_, write ? 1 : 0, caller.pc, caller.frame) == 0
            : detail::real::rw_mutex_unlock(state_, write);
    if (!locked)
      detail::fatal_error(write ? "heddle: fatal error: unlock of an unlocked rw_mutex\n"
                                : "heddle: fatal error: unlock_shared of an unlocked rw_mutex\n");
  }

  heddle_rw_mutex state_;
};

// wait() needs the lock locked: it unlocks it, waits for a notification, and locks it again. The
// lock can be a mutex, a rw_mutex (locked for writing), or a std::unique_lock or std::shared_lock
// of one. notify_one() and notify_all() need no lock. A notification happens before the return of
// the wait that it ends.
class cond {
 public:
  HEDDLE_UNSEEN constexpr cond() noexcept : state_{} {}
  cond(const cond&) = delete;
  cond& operator=(const cond&) = delete;

  [[gnu::noinline]] HEDDLE_UNSEEN void wait(mutex& lock) { wait_at(lock, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN void wait(rw_mutex& lock) {
    Side side{lock, true};
    wait_at(side, HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void wait(const std::unique_lock<mutex>& lock) {
    wait_at(*lock.mutex(), HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void wait(const std::unique_lock<rw_mutex>& lock) {
    Side side{*lock.mutex(), true};
    wait_at(side, HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void wait(const std::shared_lock<rw_mutex>& lock) {
    Side side{*lock.mutex(), false};
    wait_at(side, HEDDLE_CALLER);
  }

  [[gnu::noinline]] HEDDLE_UNSEEN void notify_one() { notify(false, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN void notify_all() { notify(true, HEDDLE_CALLER); }

 private:
  struct Side {
    rw_mutex& lock;
    bool write;
    HEDDLE_UNSEEN void lock_at(detail::Caller caller) { lock.lock_at(write, caller); }
    HEDDLE_UNSEEN void unlock_at(detail::Caller caller) { lock.unlock_at(write, caller); }
  };

  template <class Lock>
  HEDDLE_UNSEEN void wait_at(Lock& lock, detail::Caller caller) {
    heddle_cond_waiter waiter{};
    if (under_control()) heddle_cond_begin(&state_, &waiter, caller.pc, caller.frame);
    else detail::real::cond_begin(state_, waiter);
    lock.unlock_at(caller);
    if (under_control()) heddle_cond_sleep(&state_, &waiter, caller.pc, caller.frame);
    else detail::real::cond_sleep(waiter);
    lock.lock_at(caller);
  }
  HEDDLE_UNSEEN void notify(bool all, detail::Caller caller) {
    if (under_control()) heddle_cond_notify(&state_, all ? 1 : 0, caller.pc, caller.frame);
    else detail::real::cond_notify(state_, all);
  }

  heddle_cond state_;
};

}  // namespace heddle

#endif  // HEDDLE_MUTEX_H_
