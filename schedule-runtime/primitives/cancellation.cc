#include "primitives/cancellation.h"

#include <errno.h>

#include "primitives/interruption.h"
#include "primitives/thread_life.h"

namespace heddle::rt::primitives {
namespace {

bool due(const Thread& t) { return t.cancellation.requested && !t.cancellation.disabled; }

// POSIX lists calls. These are the kinds of the operations behind them: each may wait.
bool is_cancellation_point(Kind kind) {
  switch (kind) {
    case Kind::thread_join:
    case Kind::cond_wait:
    case Kind::sleep:
    case Kind::semaphore_wait:
    case Kind::descriptor_read:
    case Kind::descriptor_write:
    case Kind::descriptor_wait:
    case Kind::signal_wait: return true;
    default: return false;
  }
}

// Where a thread with the type "asynchronous" can end, besides. All other calls of the C library promise that nothing unwinds them.
bool may_end_at_once(Kind kind) {
  switch (kind) {
    case Kind::mutex_lock:
    case Kind::mutex_trylock:
    case Kind::mutex_timedlock:
    case Kind::mutex_unlock:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::rwlock_tryrdlock:
    case Kind::rwlock_trywrlock:
    case Kind::rwlock_unlock:
    case Kind::cond_signal:
    case Kind::cond_broadcast:
    case Kind::semaphore_post:
    case Kind::semaphore_trywait:
    case Kind::barrier_arrive:
    case Kind::barrier_leave:
    case Kind::atomic_load:
    case Kind::atomic_store:
    case Kind::atomic_rmw:
    case Kind::atomic_cas:
    case Kind::plain_read:
    case Kind::plain_write:
    case Kind::yield:
    case Kind::spin_pause: return true;
    default: return is_cancellation_point(kind);
  }
}

// Its wait can end as if its time had come (end_wait_early()).
bool waits_for_lock(Kind kind) {
  return kind == Kind::mutex_lock || kind == Kind::mutex_timedlock || kind == Kind::rwlock_rdlock || kind == Kind::rwlock_wrlock ||
         kind == Kind::barrier_leave;
}

[[noreturn]] void end_cancelled(Thread& t, Place place) {
  t.cancellation.disabled = true;  // clean-up handlers may call cancellation points
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::thread_cancelled, .object = t.object, .place = place});
  e.commit(p, {.partner = t.cancellation.event});
  thread_exit(PTHREAD_CANCELED);
}

}  // namespace

// The waiting half of a wait on a condition variable is left out: that thread has to lock its mutex again first.
void cancel_if_due(Thread& t, const OpSpec& spec, Pending* chosen) {
  if (!due(t) || spec.kind == Kind::thread_exit) return;
  const bool here = t.cancellation.asynchronous ? may_end_at_once(spec.kind) : is_cancellation_point(spec.kind);
  if (!here) return;
  const bool waits = kind_info(spec.kind).has(kBlocks);
  // A handler may have ended the operation already.
  if (chosen != nullptr && !t.interrupted) engine().commit(*chosen, {.outcome = waits ? Outcome::interrupted : Outcome::none, .stored = false, .news = true});
  end_cancelled(t, spec.place);
}

int thread_cancel(pthread_t handle, Place place) {
  Engine& e = engine();
  Thread* const t = e.thread_of(handle);
  if (t == nullptr || t->joined) return ESRCH;
  Pending& p = e.arrive({.kind = Kind::thread_cancel, .object = t->object, .place = place});
  const bool again = t->cancellation.requested || t->state == ThreadState::finished;
  const uint32_t event = e.commit(p, {.stored = !again, .news = true});
  if (again) return 0;
  t->cancellation.requested = true;
  t->cancellation.event = event;
  interrupt_soon(*t);
  Pending& waiting = t->op;
  if (t == current_thread() || waiting.enabled || t->cancellation.disabled) return 0;
  const bool ends = is_cancellation_point(waiting.kind) || waiting.kind == Kind::cond_wake || (t->cancellation.asynchronous && waits_for_lock(waiting.kind));
  if (ends) end_wait_early(waiting);
  return 0;
}

int set_cancel_state(int state) {
  bool& disabled = current_thread()->cancellation.disabled;
  const int before = disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  disabled = state == PTHREAD_CANCEL_DISABLE;
  return before;
}

int set_cancel_type(int type) {
  bool& asynchronous = current_thread()->cancellation.asynchronous;
  const int before = asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  return before;
}

void cancel_at_once(Place place) {
  Thread& t = *current_thread();
  if (due(t) && t.cancellation.asynchronous) end_cancelled(t, place);
}

void cancellation_point(Place place) {
  Thread& t = *current_thread();
  if (due(t)) end_cancelled(t, place);
}

}  // namespace heddle::rt::primitives
