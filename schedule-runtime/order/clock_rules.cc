#include "order/clock_rules.h"

namespace heddle::order {
void ClockTracker::publish(VectorClock& to, const ThreadState& t, uint32_t thread) {
  to.assign(t.clock, memory_);
  to.raise(thread, t.epoch, memory_);
}

void ClockTracker::add(VectorClock& to, const ThreadState& t, uint32_t thread) {
  to.join(t.clock, memory_);
  to.raise(thread, t.epoch, memory_);
}

void ClockTracker::learn(ThreadState& t, uint32_t thread, uint32_t epoch) {
  if (t.clock.covers(thread, epoch)) return;
  t.clock.raise(thread, epoch, memory_);
  ++t.version;
}

void ClockTracker::fork(uint32_t parent, uint32_t child) {
  if (parent == child) return;
  ThreadState& p = thread_at(parent);
  ThreadState& c = thread_at(child);
  acquire(c, p.clock);
  learn(c, parent, p.epoch - 1);
}

void ClockTracker::fork(const VectorClock& creator, uint32_t parent, uint32_t epoch, uint32_t child) {
  if (parent == child) return;
  ThreadState& c = thread_at(child);
  acquire(c, creator);
  learn(c, parent, epoch);
}

void ClockTracker::inherit(uint32_t other, uint32_t thread) {
  ThreadState& from = thread_at(other);
  ThreadState& to = thread_at(thread);
  acquire(to, from.clock);
  learn(to, other, from.epoch);
}

void ClockTracker::hand_over(uint32_t thread) {
  ThreadState& t = thread_at(thread);
  t.acquired.clear();
  t.fence.clear();
  t.released_by_fence = false;
  t.met_by = kNoEvent;
}

uint32_t ClockTracker::pending(uint32_t thread) { return thread_at(thread).epoch++; }

uint32_t ClockTracker::apply(const Operation& op) {
  ThreadState& t = thread_at(op.thread);
  const KindInfo& info = kind_info(op.kind);
  if (info.has(kThread)) {
    apply_thread(op, t);
  } else if (relation_ == Relation::strong) {
    if (!(op.flags & kEventRecursive)) apply_strong(op, t);
  } else if (relation_ == Relation::weak && info.has(kAtomic)) {
    apply_reads_from(op, t);
  }
  return t.epoch++;
}

void ClockTracker::look(const Operation& op) {
  if (relation_ == Relation::strong && op.object != 0) apply_atomic(op, thread_at(op.thread));
}

// Creation and exit publish on the thread object, start and join read it. In every relation.
void ClockTracker::apply_thread(const Operation& op, ThreadState& t) {
  if (op.object == 0) return;
  ObjectState& o = objects_.at(op.object, memory_);
  switch (op.kind) {
    case Kind::thread_create:
      if (!in_vain(op.outcome)) publish(o.write, t, op.thread);
      break;
    case Kind::thread_exit:
    case Kind::thread_cancel: add(o.write, t, op.thread); break;
    case Kind::thread_start:
    case Kind::thread_cancelled: acquire(t, o.write); break;
    case Kind::thread_join:
      if (!in_vain(op.outcome)) acquire(t, o.write);
      break;
    default: break;
  }
}

void ClockTracker::apply_strong(const Operation& op, ThreadState& t) {
  if (op.kind == Kind::atomic_fence) return apply_fence(op, t);
  if (op.object == 0) return;
  switch (op.kind) {
    case Kind::atomic_load:
    case Kind::atomic_store:
    case Kind::atomic_rmw:
    case Kind::atomic_cas: return apply_atomic(op, t);
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::rwlock_tryrdlock:
    case Kind::rwlock_trywrlock:
    case Kind::rwlock_unlock: return apply_rwlock(op, t);
    case Kind::barrier_arrive:
    case Kind::barrier_leave: return apply_barrier(op, t);
    case Kind::cond_wait:
      // The first half: the unlock rule, on the mutex. Taking the mutex again is a separate mutex_lock event.
      if (op.choice != 0) publish(objects_.at(op.choice, memory_).write, t, op.thread);
      return;
    case Kind::cond_signal:
    case Kind::cond_broadcast:
    case Kind::cond_wake: return apply_notification(op, t);
    case Kind::channel_send:
    case Kind::channel_receive:
    case Kind::channel_close: return apply_channel(op, t);
    case Kind::select:
      if (op.choice != kDefaultChoice) apply_channel(op, t);  // the default case touches nothing
      return;
    case Kind::once_begin:
      // A thread that waits for the running call joins its end. If the function threw, the thread that runs it next joins the end of that
      // attempt ([thread.once.callonce]: completion of an active execution synchronises with the start of the next).
      acquire(t, objects_.at(op.object, memory_).write);
      return;
    case Kind::once_end:
      publish(objects_.at(op.object, memory_).write, t, op.thread);  // also when the function threw
      return;
    case Kind::annotated_lock:
      acquire(t, objects_.at(op.object, memory_).write);
      acquire(t, objects_.at(op.object, memory_).read);
      return;
    case Kind::annotated_rdunlock:  // readers order writers, not each other
      add(objects_.at(op.object, memory_).read, t, op.thread);
      return;
    case Kind::annotated_unlock:  // other threads' releases may be on the same object
    case Kind::order_release:
      add(objects_.at(op.object, memory_).write, t, op.thread);
      return;
    case Kind::semaphore_post:
    case Kind::wait_group_add:
    case Kind::descriptor_write:
    case Kind::descriptor_close:
    case Kind::signal_send:
      // Conservative for semaphores: a wait sees all posts so far, because the counter is one release sequence in every implementation. A
      // read sees all writes so far, because one read may return bytes of several writes.
      if (!in_vain(op.outcome)) add(objects_.at(op.object, memory_).write, t, op.thread);
      return;
    default: break;
  }
  // The other kinds follow their roles: mutexes, waits of semaphores and wait groups, order_acquire, annotated_rdlock.
  const KindInfo& info = kind_info(op.kind);
  ObjectState& o = objects_.at(op.object, memory_);
  if (info.has(kAcquires) && !in_vain(op.outcome)) acquire(t, o.write);
  if (!info.has(kReleases) || in_vain(op.outcome)) return;
  // Who gives back what another thread has taken need not know of the earlier releases.
  if (op.flags & kEventForeign) add(o.write, t, op.thread);
  else publish(o.write, t, op.thread);
}

// C++20 release sequences. A store starts one (a relaxed store has only what a release fence provided). A read-modify-write continues the
// one that it read from.
void ClockTracker::apply_atomic(const Operation& op, ThreadState& t) {
  ObjectState& o = objects_.at(op.object, memory_);
  const bool failed_cas = op.kind == Kind::atomic_cas && op.outcome == Outcome::failure;
  const bool reads = op.kind != Kind::atomic_store;
  const bool writes = op.kind != Kind::atomic_load && !failed_cas;
  const VectorClock& source = op.source ? *op.source : o.write;
  if (reads) {
    if (acquiring(op.order)) {
      acquire(t, source);
    } else {
      t.acquired.join(source, memory_);
    }
  }
  if (!writes) return;
  if (reads) {
    if (op.source) o.write.assign(*op.source, memory_);
  } else {
    o.write.clear();
  }
  if (releasing(op.order)) {
    add(o.write, t, op.thread);
  } else if (t.released_by_fence) {
    o.write.join(t.fence, memory_);
  }
}

void ClockTracker::apply_fence(const Operation& op, ThreadState& t) {
  if (acquiring(op.order)) acquire(t, t.acquired);
  if (releasing(op.order)) {
    publish(t.fence, t, op.thread);
    t.released_by_fence = true;
  }
}

void ClockTracker::barrier(uint32_t thread, const VectorClock* read) {
  ThreadState& t = thread_at(thread);
  if (read != nullptr) t.acquired.join(*read, memory_);
  apply_fence({.thread = thread, .kind = Kind::atomic_fence, .order = MemoryOrder::seq_cst}, t);
}

// Weak: a read comes after the write it read from, with any memory orders.
void ClockTracker::apply_reads_from(const Operation& op, ThreadState& t) {
  if (op.kind == Kind::atomic_fence || op.object == 0) return;
  ObjectState& o = objects_.at(op.object, memory_);
  const bool failed_cas = op.kind == Kind::atomic_cas && op.outcome == Outcome::failure;
  if (op.kind != Kind::atomic_store) acquire(t, op.source ? *op.source : o.write);
  if (op.kind != Kind::atomic_load && !failed_cas) publish(o.write, t, op.thread);
}

// Readers are ordered with writers, but not with each other.
void ClockTracker::apply_rwlock(const Operation& op, ThreadState& t) {
  if (in_vain(op.outcome)) return;
  ObjectState& o = objects_.at(op.object, memory_);
  if (op.kind == Kind::rwlock_unlock) {
    // While there is a writer, nobody else has anything to give back: another thread may do it in its place.
    if (o.writer != 0) {
      if (op.flags & kEventForeign) add(o.write, t, op.thread);
      else publish(o.write, t, op.thread);
      o.read.clear();
      o.writer = 0;
    } else {
      add(o.read, t, op.thread);
    }
    return;
  }
  acquire(t, o.write);
  if (op.kind == Kind::rwlock_wrlock || op.kind == Kind::rwlock_trywrlock) {
    acquire(t, o.read);
    o.writer = op.thread + 1;
  }
}

// `write` collects the current phase, `read` is the last full one. When the first thread leaves while its own arrival is still in `write`,
// that phase is complete. This is exact if all phases have the same threads. Otherwise a thread that leaves may also join arrivals of the
// next phase.
void ClockTracker::apply_barrier(const Operation& op, ThreadState& t) {
  ObjectState& o = objects_.at(op.object, memory_);
  if (op.kind == Kind::barrier_arrive) {
    add(o.write, t, op.thread);
    return;
  }
  if (o.write.get(op.thread) > o.read.get(op.thread)) {
    o.read.assign(o.write, memory_);
    o.write.clear();
  }
  acquire(t, o.read);
}

}  // namespace heddle::order
