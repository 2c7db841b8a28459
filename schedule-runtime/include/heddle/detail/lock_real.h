// Go's locks on real threads. Here, too, any thread can unlock.
#ifndef HEDDLE_DETAIL_LOCK_REAL_H_
#define HEDDLE_DETAIL_LOCK_REAL_H_

#include <heddle/detail/lock_hooks.h>
#include <heddle/detail/parking.h>

namespace heddle::detail::real {

// Lock's words, for a mutex that reports a wrong unlock.
inline Lock& lock_of(uint32_t& word) { return *reinterpret_cast<Lock*>(&word); }

[[gnu::noinline]] inline bool mutex_try_lock(heddle_mutex& mutex) {
  uint32_t free = 0;
  return __atomic_compare_exchange_n(&mutex.word, &free, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}
[[gnu::noinline]] inline void mutex_lock(heddle_mutex& mutex) { lock_of(mutex.word).lock(); }
// False: it was not locked.
[[gnu::noinline]] inline bool mutex_unlock(heddle_mutex& mutex) {
  uint32_t* address = &mutex.word;
  const uint32_t before = __atomic_exchange_n(address, 0, __ATOMIC_RELEASE);
  if (before == 2) futex_wake(address, 1);
  return before != 0;
}

class Guarded {
 public:
  explicit Guarded(uint32_t& guard) : lock_(lock_of(guard)) { lock_.lock(); }
  ~Guarded() { lock_.unlock(); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

 private:
  Lock& lock_;
};

// Threads that wait for a read-write lock, oldest first, in two of its pointers.
class LockQueue {
 public:
  LockQueue(heddle_rw_mutex& mutex, bool write) : ends_(mutex.queues + (write ? 2 : 0)) {}

  bool empty() const { return ends_[0] == nullptr; }
  Waiting* first() const { return static_cast<Waiting*>(ends_[0]); }
  void append(Waiting* waiting) {
    waiting->next_served = nullptr;
    if (empty()) ends_[0] = waiting;
    else static_cast<Waiting*>(ends_[1])->next_served = waiting;
    ends_[1] = waiting;
  }
  Waiting* remove_first() {
    Waiting* const waiting = first();
    ends_[0] = waiting->next_served;
    return waiting;
  }

 private:
  void** ends_;
};

// The first in the queue of writers is the announced one, unless that writes already.
inline Waiting* admit_writer(heddle_rw_mutex& mutex) {
  LockQueue writers(mutex, true);
  if (mutex.readers != 0 || mutex.writing != 0 || writers.empty()) return nullptr;
  mutex.writing = 1;
  return writers.remove_first();
}

[[gnu::noinline]] inline bool rw_mutex_lock(heddle_rw_mutex& mutex, bool write, bool only_try) {
  Waiting waiting;
  {
    Guarded guarded(mutex.guard);
    if (mutex.announced == 0 && (!write || !only_try || mutex.readers == 0)) {
      if (!write) {
        ++mutex.readers;
        return true;
      }
      mutex.announced = 1;
      if (mutex.readers == 0) {
        mutex.writing = 1;
        return true;
      }
    }
    if (only_try) return false;
    LockQueue(mutex, write).append(&waiting);
  }
  waiting.park(HEDDLE_NEVER);
  return true;
}

// False: it was not locked so.
[[gnu::noinline]] inline bool rw_mutex_unlock(heddle_rw_mutex& mutex, bool write) {
  Waiting* served = nullptr;
  {
    Guarded guarded(mutex.guard);
    if (!write) {
      if (mutex.readers == 0) return false;
      --mutex.readers;
      if (mutex.announced != 0) served = admit_writer(mutex);
      if (served != nullptr) served->next_served = nullptr;
    } else {
      if (mutex.writing == 0) return false;
      mutex.writing = 0;
      // All readers that wait get in before the next writer.
      LockQueue readers(mutex, false), writers(mutex, true);
      while (!readers.empty()) {
        Waiting* const reader = readers.remove_first();
        reader->next_served = served;
        served = reader;
        ++mutex.readers;
      }
      mutex.announced = writers.empty() ? 0 : 1;
      if (Waiting* const writer = admit_writer(mutex)) {
        writer->next_served = served;
        served = writer;
      }
    }
  }
  while (served != nullptr) {
    Waiting* const waiting = served;
    served = waiting->next_served;
    waiting->serve();
  }
  return true;
}

inline void cond_append(heddle_cond& cond, heddle_cond_waiter* waiter) {
  waiter->next = nullptr;
  waiter->previous = cond.last;
  (cond.last != nullptr ? cond.last->next : cond.first) = waiter;
  cond.last = waiter;
}
inline void cond_remove(heddle_cond& cond, heddle_cond_waiter* waiter) {
  (waiter->previous != nullptr ? waiter->previous->next : cond.first) = waiter->next;
  (waiter->next != nullptr ? waiter->next->previous : cond.last) = waiter->previous;
}

[[gnu::noinline]] inline void cond_begin(heddle_cond& cond, heddle_cond_waiter& waiter) {
  Guarded guarded(cond.guard);
  cond_append(cond, &waiter);
}
[[gnu::noinline]] inline void cond_sleep(heddle_cond_waiter& waiter) {
  while (__atomic_load_n(&waiter.notified, __ATOMIC_ACQUIRE) == 0) futex_wait(&waiter.notified, 0);
}
[[gnu::noinline]] inline void cond_notify(heddle_cond& cond, bool all) {
  Guarded guarded(cond.guard);
  while (heddle_cond_waiter* const waiter = cond.first) {
    cond_remove(cond, waiter);
    uint32_t* const address = &waiter->notified;
    __atomic_store_n(address, 1, __ATOMIC_RELEASE);
    futex_wake(address, 1);
    if (!all) return;
  }
}

}  // namespace heddle::detail::real

#endif  // HEDDLE_DETAIL_LOCK_REAL_H_
