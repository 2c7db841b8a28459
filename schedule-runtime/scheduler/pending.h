// What a thread is about to do: the candidate of a choice. Every live thread has one.
//
// Strategies and enforcement see nothing else, so that they know neither threads nor primitives.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

struct Thread;
struct Object;
struct Pending;

// May the op go now? The engine calls this whenever the op's object has changed.
using MayGo = bool (*)(const Pending&);

inline constexpr uint64_t kNever = ~0ull;

struct Pending {
  // What a strategy may look at.
  uint64_t identity;    // hash of thread, kind, site and occurrence: the same in every process
  ThreadId thread;
  SiteId site;
  ObjectId object_id;   // 0: no object
  // The fields are deliberately not in Event's order. If they were copied together, the copy would have to wait for each part to be
  // written.
  uint32_t context;       // hash
  uint32_t thread_index;
  uint32_t occurrence;
  uint32_t object_index;  // 0: none
  Kind kind;
  MemoryOrder order;
  bool enabled;           // may_go held when last asked
  bool constrained;       // a constraint of the schedule applies to it
  bool held;              // by a chain or a delay, as of held_version
  bool idle;              // its thread spins or has just yielded, so it can do nothing useful
  bool may_time_out_early;  // the schedule lets its deadline come before the other threads' work
  bool prefers;           // it waits only for what the schedule prefers. If nothing else can run, it goes without
  // A strategy's own data. Zeroed when the op is posted, like everything before gave_up.
  uint64_t priority;
  uint32_t redraws;
  uint32_t held_version;
  uint32_t decision;      // 1 + the choice with which it fails before it becomes an event; 0: none
  uint8_t event_flags;    // EventFlag gathered while waiting
  bool timed_out;         // it goes because its time came
  bool asks_at_end;       // it may wait for something outside. When no thread can move any more, it goes to check again
  bool gave_up;           // it goes without what it prefers, or only to check again
  bool asked_at_end;      // it goes because of asks_at_end, and no thread could move
  // The engine's data.
  uint32_t req;
  uint32_t pc_index;
  uint32_t position;      // index of the code position itself. If that is in a library, pc_index is the user's call
  uint32_t context_node;
  Object* object;
  Thread* owner;
  MayGo may_go;           // null: always
  uint64_t deadline;      // virtual time at which it goes in any case, in ns; kNever
  uintptr_t detail;       // data of the primitive (the mutex of a wait, a ticket, ...)

  bool writes() const { return (kind_info(kind).roles & kWrites) != 0; }
  bool conflicts_with(const Pending& other) const {
    return object_index != 0 && object_index == other.object_index && conflicting(kind, other.kind);
  }
};

// The event that records an operation that has not taken effect yet.
inline Event unfinished_event(const Pending& p) {
  return {.site = p.site, .thread = p.thread_index, .object = p.object_index, .occurrence = p.occurrence, .context = p.context,
          .req = p.req, .done = 0, .partner = kNoEvent, .value = 0, .choice = p.decision != 0 ? p.decision - 1 : 0,
          .pc_index = p.pc_index, .kind = p.kind, .order = p.order,
          .outcome = p.decision != 0 ? Outcome::failure : Outcome::none, .flags = p.event_flags, .left = 0};
}

}  // namespace heddle::rt
