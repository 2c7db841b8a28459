// Happens-before, one operation at a time (docs/design/happens-before.md#clock-rules).
//
// `ClockTracker` consumes operations in the order of commitment, and keeps a clock per thread and per
// object. It runs online, for the race detector, and offline, behind RunOrder. It knows roles and
// kinds, but no details of a primitive.
//
// Epochs: a thread's own component, which starts at 1 and is incremented after every operation. The
// own component is outside of the array, so that a thread without synchronisation has an empty array.
#pragma once

#include <cstdint>

#include "order/memory.h"
#include "order/tokens.h"
#include "order/vector_clock.h"
#include "schema/event.h"
#include "schema/kinds.h"

namespace heddle::order {

// Three relations, never mixed:
//   strong  every edge of docs/design/happens-before.md#clock-rules, also those of locks, condition variables, semaphores,
//           channels, and atomics as in C++. What the observed run synchronised. Races are defined by it.
//   weak    program order, creation and join, and atomic reads-from. Critical sections can still be reversed, so
//           deadlock prediction filters with it.
//   must    program order, creation and join. No schedule can reverse it, so chains are checked against it.
enum class Relation : uint8_t { strong, weak, must };

inline constexpr uint32_t kNoThread = 0xFFFFFFFFu;

// One operation, in the form that the tracker needs.
struct Operation {
  uint32_t thread = 0;
  uint32_t object = 0;  // dense; 0: no object
  Kind kind = Kind::none;
  MemoryOrder order = MemoryOrder::seq_cst;
  Outcome outcome = Outcome::none;
  uint8_t flags = 0;                    // EventFlag
  uint32_t event = kNoEvent;            // its number, so that a later partner can refer to it. kNoEvent: the caller gives `source`
  uint32_t partner = kNoEvent;          // as Event::partner
  uint32_t choice = 0;                  // cond_wait: the object index of the mutex that it releases
  uint32_t partner_thread = kNoThread;  // of a partner that has arrived and not yet gone on (rendezvous)
  // The clock to acquire from the partner, if the caller has stored it. Null: the tracker's latest clock of the object.
  const VectorClock* source = nullptr;
};

class ClockTracker {
 public:
  ClockTracker(Relation relation, Memory memory) : relation_(relation), memory_(memory) {}

  // `child` begins after everything that `parent` has done so far. For a creation that is not visible as a thread_create/thread_start pair
  // on one object. Harmless in addition to such a pair.
  void fork(uint32_t parent, uint32_t child);
  // The same with a stored clock of the creation. `epoch` is that of the creating operation.
  void fork(const VectorClock& creator, uint32_t parent, uint32_t epoch, uint32_t child);

  // Another thread goes on in this component (order/lanes.h). What the last one has kept for fences of its own is gone.
  void hand_over(uint32_t thread);

  // All that `other` has done so far, its accesses since its last operation included, is in the past of `thread`.
  void inherit(uint32_t other, uint32_t thread);

  // A finished operation: joins, publishes, and returns its epoch.
  uint32_t apply(const Operation& op);
  // An atomic operation that is no event, because its thread only waits for a change. It joins and publishes, and takes no epoch. So what the
  // thread accesses between this and its next event counts as published, too.
  void look(const Operation& op);
  // The kernel acts as a seq_cst fence before the thread's next operation. `read`: what an acquire learns of the store that the kernel has read; null: none.
  void barrier(uint32_t thread, const VectorClock* read);
  // An operation that never finished. It synchronises with nothing.
  uint32_t pending(uint32_t thread);

  // The components of the other threads in the thread's clock. After apply(): the op's `done` clock.
  const VectorClock& clock(uint32_t thread) { return thread_at(thread).clock; }
  // Changes whenever clock(thread) changes. So a caller can share snapshots.
  [[gnu::always_inline]] uint32_t version(uint32_t thread) { return thread_at(thread).version; }
  // The epoch of the thread's next operation, and of its accesses before that operation.
  uint32_t epoch(uint32_t thread) { return thread_at(thread).epoch; }
  // Is the operation (thread, epoch) before the next operation of `now`?
  bool in_past(uint32_t thread, uint32_t epoch, uint32_t now) {
    ThreadState& t = thread_at(now);
    return thread == now ? epoch < t.epoch : t.clock.covers(thread, epoch);
  }
  // What a read of this atomic acquires: the head of the release sequence of its last write.
  const VectorClock& head(uint32_t object) { return objects_.at(object, memory_).write; }
  Relation relation() const { return relation_; }

 private:
  struct ThreadState {
    VectorClock clock;
    VectorClock acquired;  // stored by relaxed loads for a later acquire fence
    VectorClock fence;     // the clock at the last release fence
    VectorClock meeting;   // clock of the other half of this thread's rendezvous, if that half was applied first
    uint32_t met_by = kNoEvent;  // that half
    uint32_t epoch = 1;
    uint32_t version = 0;
    bool released_by_fence = false;
  };
  struct ObjectState {
    VectorClock write;  // release clock: last writer or owner, or all releases so far. channel: the close
    VectorClock read;   // rwlock: readers since the last write; barrier: the last full phase
    Tokens* tokens = nullptr;
    uint32_t writer = 0;   // rwlock: thread + 1 of the exclusive owner
    uint32_t dropped = 0;  // condition variable: notifications that were dropped from `tokens`
  };

  ThreadState& thread_at(uint32_t thread) { return threads_.at(thread, memory_); }
  void acquire(ThreadState& t, const VectorClock& from) { t.version += t.clock.join(from, memory_); }
  void learn(ThreadState& t, uint32_t thread, uint32_t epoch);
  // publish: to := the clock of t. add: to := to joined with it.
  void publish(VectorClock& to, const ThreadState& t, uint32_t thread);
  void add(VectorClock& to, const ThreadState& t, uint32_t thread);

  void apply_thread(const Operation& op, ThreadState& t);
  void apply_strong(const Operation& op, ThreadState& t);
  void apply_atomic(const Operation& op, ThreadState& t);
  void apply_fence(const Operation& op, ThreadState& t);
  void apply_reads_from(const Operation& op, ThreadState& t);
  void apply_rwlock(const Operation& op, ThreadState& t);
  void apply_barrier(const Operation& op, ThreadState& t);
  // In message_rules.cc:
  void apply_channel(const Operation& op, ThreadState& t);
  void meet(const Operation& op, ThreadState& t);
  void apply_notification(const Operation& op, ThreadState& t);
  Tokens& tokens_of(ObjectState& o);
  void leave(Token& token, const Operation& op, const ThreadState& t);

  Relation relation_;
  Memory memory_;
  ChunkTable<ThreadState> threads_;
  ChunkTable<ObjectState> objects_;
};

}  // namespace heddle::order
