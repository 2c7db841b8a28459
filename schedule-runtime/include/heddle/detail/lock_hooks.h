// The interface between heddle's locks (heddle/mutex.h) and the runtime, as hooks.h is that of channels. Under control, the
// runtime reads and changes the words of a lock. On real threads, lock_real.h does.
#ifndef HEDDLE_DETAIL_LOCK_HOOKS_H_
#define HEDDLE_DETAIL_LOCK_HOOKS_H_

#include <heddle/detail/hooks.h>

#include <stdint.h>

extern "C" {

// All zero is a new lock. `tag` is the runtime's: it tells whether the memory still holds the lock that it knows.
struct heddle_mutex {
  uint32_t word;  // 0: free; 1, and on real threads 2 (a thread may sleep): locked
  uint32_t tag;
};

struct heddle_rw_mutex {
  uint32_t guard;     // real threads: guards the other fields
  uint32_t tag;
  uint32_t readers;   // that hold it
  uint8_t announced;  // a writer holds it, or waits for the readers that still do: no new reader gets in
  uint8_t writing;    // a writer holds it
  uint8_t reserved[2];
  void* queues[4];    // real threads: who waits
};

struct heddle_cond_waiter {
  struct heddle_cond_waiter* next;
  struct heddle_cond_waiter* previous;
  uint32_t event;     // the runtime's: the notification
  uint32_t notified;
};

struct heddle_cond {
  uint32_t guard;  // real threads: guards the queue
  uint32_t tag;
  struct heddle_cond_waiter* first;  // oldest
  struct heddle_cond_waiter* last;
};

// Returns 1: locked; 0: with `only_try`, it was not free.
__attribute__((weak)) int heddle_mutex_lock(struct heddle_mutex* mutex, int only_try, void* pc, void* frame);
// Returns 0; 1: it was not locked (a finding).
__attribute__((weak)) int heddle_mutex_unlock(struct heddle_mutex* mutex, void* pc, void* frame);
__attribute__((weak)) int heddle_rw_mutex_lock(struct heddle_rw_mutex* mutex, int write, int only_try, void* pc, void* frame);
__attribute__((weak)) int heddle_rw_mutex_unlock(struct heddle_rw_mutex* mutex, int write, void* pc, void* frame);
// A wait is two calls, with the unlock of the caller's lock between them: from the first on, a notification counts.
__attribute__((weak)) void heddle_cond_begin(struct heddle_cond* cond, struct heddle_cond_waiter* waiter, void* pc, void* frame);
__attribute__((weak)) void heddle_cond_sleep(struct heddle_cond* cond, struct heddle_cond_waiter* waiter, void* pc, void* frame);
__attribute__((weak)) void heddle_cond_notify(struct heddle_cond* cond, int all, void* pc, void* frame);

}  // extern "C"

#endif  // HEDDLE_DETAIL_LOCK_HOOKS_H_
